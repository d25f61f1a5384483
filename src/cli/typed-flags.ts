/** Which flag gave what a diagnostic is about, so that it is named as it was typed. */
import { pointer } from '../compiler/ir/ids.js';
import { shorten } from '../diagnostics/quote.js';
import type { Diagnostic } from '../index.js';
import type { Policy, SquadFlags } from './compile-flags.js';

/** A flag, and the pointer into the options or the answers at which its value is. */
export interface TypedFlag {
  readonly in: 'options' | 'answers';
  readonly at: string;
  readonly text: string;
}

type Flags = Omit<SquadFlags, 'answers'>;

/** The longest text of a flag that is shown. */
const longest = 80;

/** The flags that a compiler may find wrong; addresses, which may hold a secret, by name only. */
export function typedFlags(flags: Flags): readonly TypedFlag[] {
  const { policy = [], dynamic, critical, pass, model, toolServer, serviceUrl } = flags;
  const services = serviceUrl?.map(([name]) => `${name}=…`);
  return [
    ...policy.map(typedPolicy),
    ...typed('--dynamic', 'dynamicVariables', dynamic),
    ...typed('--critical', 'criticalVariables', critical),
    ...typed('--pass', 'pass', pass && [pass]),
    ...typed('--model', 'model', model && [`${model.provider}/${model.model}`]),
    ...typed('--tool-server', 'toolServer', toolServer && ['…']),
    ...typed('--service-url', 'serviceUrls', services),
  ];
}

function typedPolicy([kind, choice]: Policy): TypedFlag {
  const text = `--policy ${word(`${kind}=${choice}`)}`;
  return { in: 'answers', at: pointer('policies', kind), text };
}

function typed(flag: string, name: string, values?: readonly string[] | ''): TypedFlag[] {
  if (!values) return [];
  return [{ in: 'options', at: pointer(name), text: [flag, ...values.map(word)].join(' ') }];
}

/** In quotes where it would not be seen otherwise, or not be seen to be one. */
function word(text: string): string {
  return /^[^\s"'\\]+$/.test(text) ? text : JSON.stringify(text);
}

/** The flag that a diagnostic is about; null where none is. */
export function flagOf(
  { in: part, at }: Pick<Diagnostic, 'in' | 'at'>,
  flags: readonly TypedFlag[],
): string | null {
  const found = flags.filter(
    (flag) => flag.in === part && (at === flag.at || at.startsWith(`${flag.at}/`)),
  );
  // Of a policy that is given twice, the last one holds.
  const text = found.at(-1)?.text;
  return text === undefined ? null : shorten(text, longest);
}

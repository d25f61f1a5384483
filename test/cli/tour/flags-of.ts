/** Options of the library as flags of `squadc compile` and `squadc check`. */
import type { CompileOptions } from '../../../src/index.js';

/** Puts a file into the folder that the command starts from, and returns its name. */
export type Put = (name: string, content: unknown) => string;

/** Options that no flag gives. */
const withoutFlag: readonly string[] = ['names', 'tagret'];

/** Which flag an option is, and how its value is written. */
const flags: Readonly<Record<string, (value: never, put: Put) => readonly string[]>> = {
  target: (target: string) => ['--target', target],
  boundary: (rule: string) => ['--boundary', rule],
  handoffTools: (form: string) => ['--handoff-tools', form],
  pass: (way: string) => ['--pass', way],
  tools: (way: string) => ['--tools', way],
  context: ({ type, maxMessages }: { type: string; maxMessages?: number }) => [
    '--context',
    type === 'lastNMessages' ? `last:${maxMessages}` : type,
  ],
  dynamicVariables: (names: readonly string[]) => ['--dynamic', ...names],
  criticalVariables: (names: readonly string[]) => ['--critical', ...names],
  memberOverrides: (value: object, put) => ['--overrides', put('overrides.json', value)],
  toolNames: (value: object, put) => ['--tool-names', put('tool-names.json', value)],
  bindings: (value: object, put) => ['--bindings', put('bindings.json', value)],
  answers: (value: object, put) => ['--answers', put('answers.json', value)],
  toolServer: ({ url, credentialId }: { url: string; credentialId: string }) => [
    ...['--tool-server', url, '--tool-credential', credentialId],
  ],
};

/** Options without a flag are left out; one that nobody knows is a fault of this table. */
export function flagsOf(options: CompileOptions, put: Put): string[] {
  return Object.entries(options).flatMap(([option, value]) => {
    if (withoutFlag.includes(option)) return [];
    const flag = flags[option];
    if (flag === undefined) throw new Error(`no flag is known for the option ${option}`);
    return flag(value as never, put);
  });
}

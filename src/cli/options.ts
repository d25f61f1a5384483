/** The options for the squad, shared by all commands that compile or check. */
import { InvalidArgumentError, Option } from 'commander';
import type { BoundOptions } from '../adapters/tools/compile-bound.js';
import { pointer } from '../compiler/ir/ids.js';
import { shorten } from '../diagnostics/quote.js';
import type { CompileOptions, ContextEngineeringPlan, Diagnostic } from '../index.js';
import { WrongUsage } from './exit.js';

/** A parser for whole numbers in this range, both ends included. */
export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new InvalidArgumentError(`Expected a whole number from ${least} to ${most}.`);
  };
}

/** Parses `a,b`, without empty or repeated names. */
export function parseNames(text: string): readonly string[] {
  const names = text.split(',').map((each) => each.trim());
  const found = new Set(names.filter((each) => each !== ''));
  if (found.size === 0) throw new InvalidArgumentError('Expected names with commas between them.');
  return [...found];
}

type Pair = readonly [name: string, value: string];

/**
 * A parser for `<name>=<value>`, which adds to the earlier pairs. The compiler checks that both
 * exist.
 */
function pairs(form: string, example: string) {
  return (text: string, before: readonly Pair[] = []): readonly Pair[] => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    if (name.trim() === '' || value.trim() === '') {
      throw new InvalidArgumentError(`Expected ${form}, for example ${example}.`);
    }
    return [...before, [name.trim(), value.trim()]];
  };
}

type Given = Readonly<CompileOptions>;

/** The flags for the squad, as the argument parser returns them. */
export interface SquadFlags {
  readonly answers?: string;
  readonly policy?: readonly Pair[];
  readonly target?: Given['target'];
  readonly boundary?: Given['boundary'];
  readonly handoffTools?: Given['handoffTools'];
  readonly pass?: Given['pass'];
  readonly model?: Given['model'];
  readonly overrides?: string;
  readonly context?: Given['context'];
  readonly dynamic?: string[];
  readonly critical?: string[];
  readonly toolNames?: string;
  readonly bindings?: string;
  readonly tools?: BoundOptions['tools'];
  readonly toolServer?: string;
  readonly toolCredential?: string;
  readonly serviceUrl?: readonly Pair[];
}

/** The flags of commands that compile one workflow. */
export interface CompileFlags extends SquadFlags {
  readonly acceptProposals?: true;
  readonly output?: string;
  readonly json?: true;
  readonly verbose?: true;
}

/** Options whose value is a file, and the compiler's names for the content. */
export const optionFiles = {
  overrides: 'memberOverrides',
  bindings: 'bindings',
  toolNames: 'toolNames',
} as const;

export const optionFileNames = Object.keys(optionFiles) as (keyof typeof optionFiles)[];

/** All files that the flags name. */
export function filesOf({ answers, ...flags }: SquadFlags): (string | undefined)[] {
  return [answers, ...optionFileNames.map((name) => flags[name])];
}

export const policyOption = new Option(
  '--policy <kind=choice>',
  'one choice for every question of a kind (repeatable)',
).argParser(pairs('<kind>=<choice>', 'cyclic-stages=consolidate'));

export const proposalsOption = new Option(
  '--accept-proposals',
  'answer each open question that has a proposal with it',
);

export const answerOptions: readonly Option[] = [
  new Option(
    '--answers <file>',
    'answers to questions of an earlier run, as JSON; also those of a migration',
  ),
  policyOption,
];

export const outputOptions: readonly Option[] = [
  new Option('-o, --output <file>', 'write to this file (in one step) instead of standard output'),
  new Option('--verbose', 'also show informational diagnostics'),
];

/** Parses `openai/gpt-4o` or `openai:gpt-4o`. Everything after the first separator is the model. */
function parseModel(text: string): { provider: string; model: string } {
  const [, provider = '', model = ''] = /^([^/:]+)[/:](.+)$/s.exec(text) ?? [];
  if (provider.trim() === '' || model.trim() === '') {
    throw new InvalidArgumentError('Expected <provider>/<model>, for example openai/gpt-4o.');
  }
  return { provider: provider.trim(), model: model.trim() };
}

const contextPlans: ReadonlyMap<string, ContextEngineeringPlan> = new Map([
  ['all', { type: 'all' }],
  ['none', { type: 'none' }],
  ['user-and-assistant', { type: 'userAndAssistantMessages' }],
  ['previous-assistant', { type: 'previousAssistantMessages' }],
]);
const contextForms = 'all, none, last:<n>, user-and-assistant, previous-assistant';

function parseContext(text: string): ContextEngineeringPlan {
  const count = Number(/^last:([1-9]\d{0,8})$/.exec(text)?.[1] ?? 0);
  if (count > 0) return { type: 'lastNMessages', maxMessages: count };
  const named = contextPlans.get(text);
  if (named !== undefined) return named;
  throw new InvalidArgumentError(`Allowed are ${contextForms}; <n> is a number from 1 on.`);
}

/** Options for the squad, and for how the workflow's requests reach the services. */
export function squadOptions(
  usualTarget = "squad for a workflow in the specification's shape, else vapi",
): Option[] {
  const choice = (flags: string, text: string, choices: readonly string[]) =>
    new Option(flags, text).choices(choices);
  return [
    choice('--target <target>', `shape of the squad (default: ${usualTarget})`, ['squad', 'vapi']),
    choice('--boundary <rule>', 'where to split (default: branch)', ['branch', 'tools']),
    choice(
      '--handoff-tools <form>',
      'one tool with several destinations, or one each (default: grouped, for vapi auto)',
      ['grouped', 'separate', 'auto'],
    ),
    choice(
      '--pass <way>',
      'how variables cross a handoff: extracted from the conversation by a plan, or, for vapi, ' +
        'as required arguments of the handoff (default: plan)',
      ['plan', 'arguments'],
    ),
    new Option(
      '--model <provider/model>',
      "model of every assistant (default: the workflow's own, else openai/gpt-4o)",
    ).argParser(parseModel),
    new Option('--overrides <file>', 'settings for all members, as a JSON object'),
    new Option(
      '--context <plan>',
      `what crosses with a handoff: ${contextForms} (default: all)`,
    ).argParser(parseContext),
    new Option(
      '--dynamic <names...>',
      'variables that the caller supplies when the call starts (after the file)',
    ),
    new Option('--critical <names...>', 'variables that must never be missing (after the file)'),
    new Option(
      '--tool-names <file>',
      'functions of tools that the platform keeps, by the id of the tool, as a JSON object of ' +
        '{ name, description }',
    ),
    new Option('--bindings <file>', 'operations that requests call, by node id, as a JSON object'),
    choice(
      '--tools <way>',
      'how tools of operations reach the API: by a server of yours, or directly from the ' +
        'platform (default: server)',
      ['server', 'direct'],
    ),
    new Option('--tool-server <url>', 'the server that answers the calls of these tools'),
    new Option('--tool-credential <id>', 'credential of the platform for that server'),
    new Option(
      '--service-url <service=url>',
      'base address of a service, for --tools direct (repeatable)',
    ).argParser(pairs('<service>=<url>', 'bills=https://api.example.com/api')),
  ];
}

/** The options of a command that compiles one workflow. */
export const compileOptions: readonly Option[] = [
  ...answerOptions,
  proposalsOption,
  ...squadOptions(),
];

/**
 * The options for the library, except the answers. Options that were not given are absent, so that
 * the compiler chooses. `files` holds the content of option files.
 */
export function squadOptionsOf(
  flags: Omit<SquadFlags, 'answers'>,
  files: Readonly<Record<string, unknown>>,
): BoundOptions {
  const { toolServer: url, toolCredential: credentialId, serviceUrl } = flags;
  if (credentialId !== undefined && url === undefined) {
    throw new WrongUsage('--tool-credential is for the server of --tool-server; name that too');
  }
  const {
    target,
    boundary = 'branch',
    handoffTools,
    pass,
    model,
    context,
    dynamic,
    critical,
    tools,
  } = flags;
  const options = {
    boundary,
    target,
    handoffTools,
    pass,
    model,
    context,
    dynamicVariables: dynamic,
    criticalVariables: critical,
    ...files,
    tools,
    toolServer: url && { url, ...(credentialId && { credentialId }) },
    serviceUrls: serviceUrl && Object.fromEntries(serviceUrl),
  };
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as BoundOptions;
}

/** The flags of options that the compiler checks, by the names of the options. */
const flagNames: ReadonlyMap<string, string> = new Map([
  ['dynamicVariables', '--dynamic'],
  ['criticalVariables', '--critical'],
  ['pass', '--pass'],
  ['model', '--model'],
  ['toolServer', '--tool-server'],
  ['serviceUrls', '--service-url'],
]);

/** The flag that a diagnostic is about; null if there is none. */
export function flagOf(
  { in: part, at }: Pick<Diagnostic, 'in' | 'at'>,
  { policy = [] }: Pick<SquadFlags, 'policy'>,
): string | null {
  const [, name = '', kind = ''] = at.split('/');
  if (part === 'options') return flagNames.get(name) ?? null;
  const given = part === 'answers' && name === 'policies' ? policy : [];
  const found = given.find((each) => pointer(each[0]) === `/${kind}`);
  return found === undefined ? null : `--policy ${shorten(found[0], 60)}`;
}

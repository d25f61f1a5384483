/** The options for the squad, shared by all commands that compile or check. */
import { InvalidArgumentError } from 'commander';
import { shorten } from '../diagnostics/quote.js';
import type { ContextEngineeringPlan, Diagnostic } from '../index.js';
import type { BoundOptions } from '../serve/compile-bound.js';
import { pointer } from '../text/pointer.js';
import { namesOf, type Options } from './command.js';
import { WrongUsage } from './io.js';

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
  if (found.size === 0) throw new InvalidArgumentError('Expected names separated by commas.');
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

/** The flags for the squad. Those without a name here go to the compiler as they are. */
export interface SquadFlags {
  readonly policy?: readonly Pair[];
  readonly toolServer?: string;
  readonly toolCredential?: string;
  readonly [flag: string]: unknown;
}

export interface CompileFlags extends SquadFlags {
  readonly answers?: string;
  readonly acceptProposals?: true;
  readonly output?: string;
  readonly json?: true;
  readonly verbose?: true;
}

/** Flags whose value is a file that holds the option. */
export const fileFlags = ['overrides', 'bindings', 'toolNames'] as const;

/** All files that the flags name. */
export function filesOf(flags: SquadFlags): (string | undefined)[] {
  return ['answers', ...fileFlags].map((name) => flags[name] as string | undefined);
}

export const answerOptions: Options = {
  '--answers <file>': 'answers to questions, as JSON; answers.json of a migration works, too',
  '--policy <kind=choice>': [
    'one choice for every question of a kind (repeatable)',
    (it) => it.argParser(pairs('<kind>=<choice>', 'cyclic-stages=consolidate')),
  ],
};

export const proposalsOption: Options = {
  '--accept-proposals': 'answer open questions with their proposals',
};

export const outputOptions: Options = {
  '-o, --output <file>': 'write to this file (atomically) instead of standard output',
  '--verbose': 'also show informational diagnostics',
};

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
  throw new InvalidArgumentError(`Expected ${contextForms}, where <n> is 1 or more.`);
}

/** Options for the squad, and for how the workflow's requests reach the services. */
export const squadOptions: Options = {
  '--target <target>': [
    "shape of the squad (default: squad for a workflow in the specification's shape, else vapi)",
    (it) => it.choices(['squad', 'vapi']),
  ],
  '--boundary <rule>': [
    'where to split (default: branch)',
    (it) => it.choices(['branch', 'tools']),
  ],
  '--handoff-tools <form>': [
    'one tool with several destinations, or one each (default: grouped, for vapi auto)',
    (it) => it.choices(['grouped', 'separate', 'auto']),
  ],
  '--pass <way>': [
    'how variables cross a handoff: extracted from the conversation by a plan, or, for vapi, ' +
      'as required arguments of the handoff (default: plan)',
    (it) => it.choices(['plan', 'arguments']),
  ],
  '--model <provider/model>': [
    "model of every assistant (default: the workflow's own, else openai/gpt-4o)",
    (it) => it.argParser(parseModel),
  ],
  '--context <plan>': [
    `what crosses with a handoff: ${contextForms} (default: all)`,
    (it) => it.argParser(parseContext),
  ],
  '--dynamic <names...>':
    'variables that the caller supplies when the call starts (after the file)',
  '--critical <names...>': 'variables that must never be missing (after the file)',
  '--overrides <file>': 'settings for all members, as a JSON object',
  '--bindings <file>': 'operations that requests call, by node id, as a JSON object',
  '--tool-names <file>':
    'names of tools that are saved on the platform, by tool id, as a JSON object of ' +
    '{ name, description }',
  '--tool-server <url>': 'address of your own server, which calls the API',
  '--tool-credential <id>': 'credential on the platform for that server',
};

export const compileOptions: Options = {
  ...answerOptions,
  ...proposalsOption,
  ...squadOptions,
};

/** The compiler's name of the option, where that is another than the flag's. */
const compilerNames: ReadonlyMap<string, string> = new Map([
  ['overrides', 'memberOverrides'],
  ['dynamic', 'dynamicVariables'],
  ['critical', 'criticalVariables'],
]);

export function compilerName(flag: string): string {
  return compilerNames.get(flag) ?? flag;
}

/**
 * The options for the library, except the answers. Options that were not given are absent, so that
 * the compiler chooses. `files` holds the content of option files, by flag.
 */
export function squadOptionsOf(
  flags: SquadFlags,
  files: ReadonlyMap<string, unknown>,
): BoundOptions {
  const { toolServer: url, toolCredential: credentialId } = flags;
  if (credentialId !== undefined && url === undefined) {
    throw new WrongUsage('--tool-credential needs --tool-server');
  }
  const values: Readonly<Record<string, unknown>> = {
    ...flags,
    ...Object.fromEntries(files),
    toolServer: url && { url, ...(credentialId && { credentialId }) },
    toolCredential: undefined,
  };
  const given = namesOf(squadOptions)
    .filter((name) => values[name] !== undefined)
    .map((name) => [compilerName(name), values[name]]);
  return { boundary: 'branch', ...Object.fromEntries(given) };
}

/** The flag that a diagnostic is about; null if there is none. */
export function flagOf(
  { in: part, at }: Pick<Diagnostic, 'in' | 'at'>,
  { policy = [] }: SquadFlags,
): string | null {
  const [, name = '', kind = ''] = at.split('/');
  if (part === 'options') {
    const flag = namesOf(squadOptions).find((each) => compilerName(each) === name);
    const isFile = fileFlags.some((each) => each === flag);
    return flag === undefined || isFile
      ? null
      : `--${flag.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`;
  }
  const given = part === 'answers' && name === 'policies' ? policy : [];
  const found = given.find((each) => pointer(each[0]) === `/${kind}`);
  return found === undefined ? null : `--policy ${shorten(found[0], 60)}`;
}

/** The options for the squad, shared by all commands that compile or check. */
import { InvalidArgumentError } from 'commander';
import { shorten } from '../diagnostics/quote.js';
import type { ContextEngineeringPlan, Diagnostic } from '../index.js';
import type { BoundOptions } from '../serve/compile-bound.js';
import { pointer } from '../text/pointer.js';
import { borrowed, namesOf, type OptionGroups, type Options } from './command.js';
import type { Config } from './io.js';

/** A parser for what `read` understands; it returns undefined for everything else. */
export function parser<Value>(expected: string, read: (text: string) => Value | undefined) {
  return (text: string): Value => {
    const value = read(text);
    if (value !== undefined) return value;
    throw new InvalidArgumentError(`Expected ${expected}.`);
  };
}

/** A parser for whole numbers in this range, both ends included. */
export const wholeNumber = (least: number, most: number) =>
  parser(`a whole number from ${least} to ${most}`, (text) => {
    const number = /^-?\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    return number >= least && number <= most ? number : undefined;
  });

/** The port of a server. */
export const portOption = (usual: number): Options => ({
  '--port <n>': [
    'port to listen on (0: a free one)',
    (it) => it.argParser(wholeNumber(0, 65_535)).default(usual),
  ],
});

/** A parser for an option that may be given several times. */
export const repeated = (one: string, before: readonly string[] = []) => [...before, one];

type Pair = readonly [name: string, value: string];

/** A parser for `<name>=<value>`, which adds to the earlier pairs. */
export function pairs(form: string, example: string) {
  const pair = parser(`${form}, for example ${example}`, (text): Pair | undefined => {
    const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
    return name.trim() && value.trim() ? [name.trim(), value.trim()] : undefined;
  });
  return (text: string, before: readonly Pair[] = []) => [...before, pair(text)];
}

/** The flags for the squad. Those without a name here go to the compiler as they are. */
export interface SquadFlags {
  readonly policy?: readonly Pair[];
  readonly [flag: string]: unknown;
}

export interface CompileFlags extends SquadFlags {
  readonly answers?: string;
  readonly acceptProposals?: true;
  readonly output?: string;
  readonly json?: true;
  readonly verbose?: true;
}

export const policyOption: Options = {
  '--policy <kind=choice>': [
    'one choice for all questions of a kind (repeatable)',
    (it) => it.argParser(pairs('<kind>=<choice>', 'cyclic-stages=consolidate')),
  ],
};

export const proposalsOption: Options = {
  '--accept-proposals': 'answer open questions with their proposals',
};

export const answerOptions: Options = {
  '--answers <file>': "answers as JSON, also a migration's answers.json",
  ...policyOption,
};

export const outputOptions: Options = {
  '-o, --output <file>': 'write to this file instead of standard output',
  '--verbose': 'also show informational diagnostics',
};

/** Parses `openai/gpt-4o` or `openai:gpt-4o`. Everything after the first separator is the model. */
const parseModel = parser('<provider>/<model>, for example openai/gpt-4o', (text) => {
  const [, provider = '', model = ''] = /^([^/:]+)[/:](.+)$/s.exec(text) ?? [];
  const named = { provider: provider.trim(), model: model.trim() };
  return named.provider && named.model ? named : undefined;
});

const contextPlans: ReadonlyMap<string, ContextEngineeringPlan> = new Map([
  ['all', { type: 'all' }],
  ['none', { type: 'none' }],
  ['user-and-assistant', { type: 'userAndAssistantMessages' }],
  ['previous-assistant', { type: 'previousAssistantMessages' }],
]);
const contextForms = 'all, none, last:<n>, user-and-assistant, previous-assistant';

const parseContext = parser(`${contextForms}, where <n> is 1 or more`, (text) => {
  const maxMessages = Number(/^last:([1-9]\d{0,8})$/.exec(text)?.[1] ?? 0);
  return maxMessages > 0
    ? ({ type: 'lastNMessages', maxMessages } as const)
    : contextPlans.get(text);
});

/** Options for the squad; each has the name of the compiler's option. */
export const squadOptions: Options = {
  '--target <target>': [
    'its shape, by default as the workflow',
    (it) => it.choices(['squad', 'vapi']),
  ],
  '--boundary <rule>': ['when to start a new assistant', (it) => it.choices(['branch', 'tools'])],
  '--handoff-tools <form>': [
    'one for all or one each',
    (it) => it.choices(['grouped', 'separate', 'auto']),
  ],
  '--pass <mode>': ['how variables cross a handoff', (it) => it.choices(['plan', 'arguments'])],
  '--model <provider/model>': [
    "of every assistant, by default the workflow's",
    (it) => it.argParser(parseModel),
  ],
  '--context <plan>': [`messages that cross: ${contextForms}`, (it) => it.argParser(parseContext)],
};

/** The groups of every command that compiles one workflow. */
export const compileOptions: OptionGroups = {
  'Answers:': { ...answerOptions, ...proposalsOption },
  [borrowed]: squadOptions,
};

/**
 * The options for the library, except the answers. Options that were not given are absent, so that
 * the compiler chooses.
 */
export function squadOptionsOf(flags: SquadFlags, { options }: Config): BoundOptions {
  const given = namesOf(squadOptions).filter((name) => flags[name] !== undefined);
  const ofFlags = Object.fromEntries(given.map((name) => [name, flags[name]]));
  return { boundary: 'branch', ...options, ...ofFlags };
}

/** The flag that a diagnostic is about; null if there is none. */
export function flagOf(
  { in: part, at }: Pick<Diagnostic, 'in' | 'at'>,
  flags: SquadFlags,
): string | null {
  const [, name = '', kind = ''] = at.split('/');
  if (part === 'options') {
    return flags[name] === undefined
      ? null
      : `--${name.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`;
  }
  const given = part === 'answers' && name === 'policies' ? (flags.policy ?? []) : [];
  const found = given.find((each) => pointer(each[0]) === `/${kind}`);
  return found === undefined ? null : `--policy ${shorten(found[0], 60)}`;
}

/** Commands as data, from which the parser and the help are built. */
import { type Command, Help, Option } from 'commander';
import { linesWithin } from '../diagnostics/quote.js';
import { groupBy } from '../graph/lists.js';
import { hanging } from '../report/check-text.js';
import type { Config, ExitCode, Io } from './io.js';

/** The part of the library that the commands use. */
export type Api = Pick<
  typeof import('../index.js'),
  | 'codes'
  | 'compile'
  | 'explain'
  | 'locateAll'
  | 'readWorkflow'
  | 'renderDiagnostic'
  | 'renderQuestion'
  | 'verify'
>;

/** What every action gets: the process around it, the library, and the configuration. */
export interface Context {
  readonly io: Io;
  readonly api: Api;
  readonly config: Config;
}

/** Options by their flags: the description, and what else the parser has to know. */
export type Options = Readonly<
  Record<string, string | readonly [text: string, more: (option: Option) => Option]>
>;

/** Options by the heading above them in the help. */
export type OptionGroups = Readonly<Record<string, Options>>;

type Notes = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The heading of options that the help only names, because another command explains them. */
export const borrowed = 'Also, as in squadc compile --help:';

export interface CommandData<
  Given extends readonly unknown[] = readonly unknown[],
  Flags = object,
> {
  readonly description: string;
  /** Descriptions by the form: `<needed>`, `[optional]` or `<several...>`. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: OptionGroups;
  /** Whether it reads `squadc.config.json`. */
  readonly hasConfig?: true;
  /** Shown in the help, before the exit codes: by heading, a text, or terms and what they mean. */
  readonly notes?: Notes;
  /** Those that not every command has. */
  readonly exits?: readonly (2 | 74 | 130)[];
  readonly examples: readonly string[];
  /** Gets the arguments in order; a `<several...>` argument is one array. */
  action(given: Given, flags: Flags, context: Context): Promise<ExitCode>;
}

/** What exit codes mean; every command has the first two and 64 and 70. */
const exitCodes: Readonly<Record<number, string>> = {
  0: 'done',
  1: 'invalid input, a failed check or work left',
  2: 'open questions or an undecided check',
  64: 'wrong usage',
  70: 'a bug in squadc',
  74: 'a file could not be read or written',
  130: 'stopped (143 by SIGTERM)',
};

const configOption: Options = {
  '--config <file>': 'options of the team (default: squadc.config.json)',
};

/** How the help of a command differs from the usual one: it is short, so that it fits on a screen. */
export const helpStyle: Partial<Help> = {
  minWidthToWrap: 20,
  optionDescription: describeOption,
  visibleOptions(command) {
    const ofAll = command.parent?.options.filter(({ long }) => long === '--debug') ?? [];
    return [...Help.prototype.visibleOptions.call(this, command), ...ofAll];
  },
  groupItems: (_, visible, headingOf) => {
    const groups = groupBy(visible, headingOf);
    groups.delete(borrowed);
    return groups;
  },
};

function describeOption(option: Option): string {
  const { description, argChoices, defaultValue, defaultValueDescription } = option;
  const choices = argChoices === undefined ? '' : `: ${argChoices.join(', ')}`;
  const isValue = !['undefined', 'boolean'].includes(typeof defaultValue);
  const usual = defaultValueDescription ?? (isValue ? defaultValue : null);
  return `${description}${choices}${usual === null ? '' : ` (default: ${usual})`}`;
}

/** Completes an empty command of the parser; `perform` runs its action. */
export function fillCommand(
  command: Command,
  data: CommandData,
  perform: (given: unknown[], flags: object) => Promise<void>,
): void {
  const columns = () => command.configureOutput().getOutHelpWidth?.() ?? 80;
  command.description(data.description).addHelpText('after', () => helpAfter(data, columns()));
  for (const [form, text] of Object.entries(data.arguments ?? {})) command.argument(form, text);
  for (const [heading, options] of Object.entries(data.options ?? {})) {
    for (const option of optionsOf(options)) command.addOption(option.helpGroup(heading));
  }
  for (const option of optionsOf(data.hasConfig ? configOption : {})) command.addOption(option);
  command.action((...all: unknown[]) => perform(all.slice(0, -2), command.opts()));
}

function optionsOf(options: Options): Option[] {
  return Object.entries(options).map(([flags, data]) => {
    const [text, more] = typeof data === 'string' ? [data] : data;
    const option = new Option(flags, text);
    return more?.(option) ?? option;
  });
}

/** The names of the options, as they are in the flags of an action. */
export function namesOf(options: Options): string[] {
  return optionsOf(options).map((option) => option.attributeName());
}

/** What the help says after the options. */
export function helpAfter(
  { options = {}, notes = {}, exits = [], examples }: Omit<CommandData, 'description' | 'action'>,
  columns: number,
): string {
  const others = optionsOf(options[borrowed] ?? {}).map(({ long }) => long);
  const codes = [0, 1, ...exits, 64, 70].sort((one, other) => one - other);
  const all: Notes = {
    ...(others.length > 0 && { [borrowed]: others.join(', ') }),
    ...notes,
    'Exit codes:': codes.map((code) => `${code} ${exitCodes[code]}`).join(', '),
  };
  const parts = Object.entries(all).flatMap(([heading, note]) =>
    typeof note === 'string'
      ? linesWithin(`${heading} ${note}`.trim(), columns - 2).join('\n  ')
      : [...linesWithin(heading, columns), ...table(Object.entries(note), columns)],
  );
  const shown = examples.map((each) => `\n  ${each}`).join('');
  return `\n${parts.join('\n')}\n\nExample${examples.length === 1 ? '' : 's'}:${shown}`;
}

/** Terms and their descriptions, in two columns. */
function table(rows: readonly (readonly [string, string])[], columns: number): string[] {
  const width = Math.max(...rows.map(([term]) => term.length)) + 2;
  return rows.flatMap(([term, text]) => hanging(`  ${term.padEnd(width)}`, text, columns));
}

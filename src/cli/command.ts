/** Commands as data, from which the parser and the help are built. */
import { type Command, Option } from 'commander';
import type { ExitCode, Io } from './io.js';

/** The part of the library that the commands use. */
export type Api = Pick<
  typeof import('../index.js'),
  | 'codes'
  | 'compile'
  | 'emit'
  | 'explain'
  | 'locateAll'
  | 'readWorkflow'
  | 'renderDiagnostic'
  | 'renderQuestion'
  | 'verify'
>;

/** What every action gets: the process around it, and the library. */
export interface Context {
  readonly io: Io;
  readonly api: Api;
}

/** Options by their flags: the description, and what else the parser has to know. */
export type Options = Readonly<
  Record<string, string | readonly [text: string, more: (option: Option) => Option]>
>;

export type ExitCodes = Readonly<Record<number, string>>;

export interface CommandData<
  Given extends readonly unknown[] = readonly unknown[],
  Flags = object,
> {
  readonly description: string;
  /** Descriptions by the form: `<needed>`, `[optional]` or `<several...>`. */
  readonly arguments?: Readonly<Record<string, string>>;
  readonly options?: Options;
  /** Shown in the help, before the exit codes. */
  readonly notes?: string;
  /** Adds to the usual ones, or replaces their texts. */
  readonly exitCodes: ExitCodes;
  readonly examples: readonly string[];
  /** Gets the arguments in order; a `<several...>` argument is one array. */
  action(given: Given, flags: Flags, context: Context): Promise<ExitCode>;
}

export const compileExitCodes: ExitCodes = {
  0: 'complete',
  1: 'invalid input, or a file that cannot be read or written',
  2: 'questions are open',
};

export const printExitCodes: ExitCodes = {
  0: 'printed',
  64: 'wrong usage, for example an unknown name',
};

const usualExitCodes: ExitCodes = { 64: 'wrong usage', 70: 'a bug in squadc' };

/** Completes an empty command of the parser; `perform` runs its action. */
export function fillCommand(
  command: Command,
  data: CommandData,
  perform: (action: (context: Context) => Promise<ExitCode>) => Promise<void>,
): void {
  command.description(data.description).addHelpText('after', helpAfter(data));
  for (const [form, text] of Object.entries(data.arguments ?? {})) command.argument(form, text);
  for (const option of optionsOf(data.options ?? {})) command.addOption(option);
  command.action((...all: unknown[]) =>
    perform((context) => data.action(all.slice(0, -2), command.opts(), context)),
  );
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

export function helpAfter({
  notes,
  exitCodes,
  examples,
}: Pick<CommandData, 'notes' | 'exitCodes' | 'examples'>): string {
  const all = Object.entries({ ...usualExitCodes, ...exitCodes });
  const width = Math.max(...all.map(([code]) => code.length)) + 2;
  const codes = all.map(([code, text]) => `\n  ${code.padEnd(width)}${text}`);
  const shown = examples.map((each) => `\n  ${each}`);
  return [
    ...(notes === undefined ? [] : [`\n${notes}`]),
    `\nExit codes:${codes.join('')}`,
    `\nExample${examples.length === 1 ? '' : 's'}:${shown.join('')}`,
  ].join('\n');
}

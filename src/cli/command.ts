/** Commands as data, from which the parser and the help are built. */
import type { Command, Option } from 'commander';
import type { ExitCode } from './exit.js';
import type { Io } from './io.js';

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

export type LoadApi = () => Promise<Api>;

/** Loads the library on the first call, so help and usage errors stay fast. */
export const loadApi: LoadApi = () => import('../index.js');

/** What every action gets: the process around it, and the library. */
export interface Context {
  readonly io: Io;
  readonly api: Api;
}

export type ExitCodeHelp = readonly (readonly [ExitCode, string])[];

export interface CommandData<
  Given extends readonly unknown[] = readonly unknown[],
  Flags = object,
> {
  readonly name: string;
  /** Shown next to the name in the list of all commands. */
  readonly summary: string;
  readonly description: string;
  /** Each with its form, `<needed>`, `[optional]` or `<several...>`, and its description. */
  readonly arguments?: readonly (readonly [form: string, text: string])[];
  readonly options?: readonly Option[];
  /** Shown in the help, before the exit codes. */
  readonly notes?: string;
  readonly exitCodes: ExitCodeHelp;
  readonly examples: readonly string[];
  /** Gets the arguments in order; a `<several...>` argument is one array. */
  action(given: Given, flags: Flags, context: Context): Promise<ExitCode>;
}

/** Exit codes of commands that compile. */
export const compileExitCodes: ExitCodeHelp = [
  [0, 'complete'],
  [1, 'invalid input, or a file that cannot be read or written'],
  [2, 'questions are open'],
  [64, 'wrong usage'],
  [70, "a bug of squadc's own"],
];

/** Exit codes of commands that print what squadc knows. */
export const printExitCodes: ExitCodeHelp = [
  [0, 'printed'],
  [64, 'wrong usage, for example an unknown name'],
];

/** Adds the command to the parent; `perform` runs its action. */
export function addCommand(
  parent: Command,
  data: CommandData,
  perform: (action: (context: Context) => Promise<ExitCode>) => Promise<void>,
): void {
  const command = parent
    .command(data.name)
    .summary(data.summary)
    .description(data.description)
    .addHelpText('after', helpAfter(data));
  for (const [form, text] of data.arguments ?? []) command.argument(form, text);
  for (const option of data.options ?? []) command.addOption(option);
  command.action((...all: unknown[]) =>
    perform((context) => data.action(all.slice(0, -2), command.opts(), context)),
  );
}

export function helpAfter({
  notes,
  exitCodes,
  examples,
}: Pick<CommandData, 'notes' | 'exitCodes' | 'examples'>): string {
  const width = Math.max(...exitCodes.map(([code]) => String(code).length)) + 2;
  const codes = exitCodes.map(([code, text]) => `\n  ${String(code).padEnd(width)}${text}`);
  const shown = examples.map((each) => `\n  ${each}`);
  return [
    ...(notes === undefined ? [] : [`\n${notes}`]),
    `\nExit codes:${codes.join('')}`,
    `\nExample${examples.length === 1 ? '' : 's'}:${shown.join('')}`,
  ].join('\n');
}

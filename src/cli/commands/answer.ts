/** `squadc answer`: asks the questions that a run left open, in the terminal. */
import { join, resolve } from 'node:path';
import { Option } from 'commander';
import type { OpenQuestion, OpenQuestions } from '../../batch/questions.js';
import { reasonOf } from '../../batch/system-error.js';
import { AnswerFile } from '../answer/file.js';
import type { CommandData } from '../command.js';
import { type ExitCode, exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';
import type { Terminal } from '../output/prompts.js';
import { count, printable, styleFor } from '../output/terminal.js';
import { jsonText } from '../output/write.js';

interface AnswerFlags {
  readonly answers?: string;
  readonly json?: true;
}

export const answerCommand: CommandData<[out: string], AnswerFlags> = {
  name: 'answer',
  summary: 'answer the open questions of a migration',
  description:
    'Asks the questions that `squadc migrate` left open, one after another, with the place and ' +
    'the choices of each. Every answer is saved at once: Ctrl-C stops without losing any, and ' +
    'what is answered does not come back.',
  arguments: [['<out>', 'output folder of the migration']],
  options: [
    new Option('--answers <file>', 'file for the answers (default: answers.json in that folder)'),
    new Option('--json', 'list the open questions as JSON and ask nothing'),
  ],
  exitCodes: [
    [0, 'no question is left'],
    [1, 'a file cannot be read or written, or is not what it should be'],
    [2, 'questions are left'],
    [64, 'wrong usage, or questions are open and there is no terminal to ask them in'],
  ],
  examples: [
    'squadc migrate workflows -o out',
    'squadc answer out',
    'squadc migrate workflows -o out --answers out/answers.json',
  ],
  action: ([out], flags, { io }) => answer(out, flags, io),
};

async function answer(out: string, flags: AnswerFlags, io: Io): Promise<ExitCode> {
  const { isSettled } = await import('../../batch/questions.js');
  const { target, questions } = await readQuestions(out, io);
  const file = await AnswerFile.open(flags.answers ?? join(out, 'answers.json'), target, io);
  const open = () => questions.filter((each) => !isSettled(each, file.answers));
  const before = open();
  if (flags.json) {
    io.stdout.write(jsonText(listing(before, questions.length, file.path)));
    return before.length === 0 ? exitCodes.complete : exitCodes.questionsOpen;
  }
  const skipped = before.length === 0 ? [] : await ask(questions, out, file, io);
  const left = open();
  const kept = left.filter((each) => skipped.includes(each)).length;
  reportEnd({ given: before.length - left.length, kept, left: left.length }, out, file, io);
  return left.length === 0 ? exitCodes.complete : exitCodes.questionsOpen;
}

async function readQuestions(out: string, io: Io): Promise<OpenQuestions> {
  const { readOpenQuestions, NotAResult } = await import('../../batch/questions.js');
  const { NotASummary } = await import('../../report/read-summary.js');
  try {
    return readOpenQuestions(resolve(io.cwd, out));
  } catch (error) {
    const isForm = error instanceof NotAResult || error instanceof NotASummary;
    if (!isForm && !(error instanceof Error && 'code' in error)) throw error;
    const reason = isForm ? error.message : reasonOf(error);
    throw new Refusal(
      `cannot read the results in ${out}: ${reason}\n` +
        '  help: Give the output folder of squadc migrate; running that again mends it.',
      exitCodes.invalid,
    );
  }
}

function listing(open: readonly OpenQuestion[], all: number, answers: string): object {
  return {
    answers,
    answered: all - open.length,
    open: open.map(({ of, question }) => ({ ...of, question })),
  };
}

/** Returns the questions that were skipped. */
async function ask(
  questions: readonly OpenQuestion[],
  out: string,
  file: AnswerFile,
  io: Io,
): Promise<readonly OpenQuestion[]> {
  const terminal = terminalOf(out, file, io);
  const { Prompts } = await import('../output/prompts.js');
  const { askAll } = await import('../answer/session.js');
  const stopping = new AbortController();
  const listening = io.onInterrupt(() => stopping.abort());
  try {
    const prompts = await Prompts.open(terminal, stopping.signal);
    prompts.write(printable(`Answers are saved to ${file.path} one by one. Ctrl-C stops.\n`));
    const screen = {
      style: styleFor(io.stdout, io.env),
      cwd: io.cwd,
      get columns() {
        return prompts.columns;
      },
    };
    return await askAll({ questions, file, prompts, screen });
  } finally {
    listening();
  }
}

function terminalOf(out: string, file: AnswerFile, io: Io): Terminal {
  const terminal = io.terminal ?? { input: process.stdin, output: process.stdout };
  if (terminal.input.isTTY && terminal.output.isTTY) return terminal;
  throw new Refusal(
    `questions are asked in a terminal, and this is none\n` +
      `  help: Write the answers into ${file.path}; the questions.md of each workflow ends with ` +
      `what to copy, and squadc answer ${out} --json lists all questions.`,
    exitCodes.wrongUsage,
  );
}

interface Amounts {
  readonly given: number;
  /** Skipped. */
  readonly kept: number;
  readonly left: number;
}

function reportEnd({ given, kept, left }: Amounts, out: string, file: AnswerFile, io: Io): void {
  const { bold } = styleFor(io.stderr, io.env);
  const [folder, path] = [printable(out), printable(file.path)];
  const option = file.path === join(out, 'answers.json') ? '' : ` --answers ${path}`;
  const more = left === 0 ? '' : `For the others: squadc answer ${folder}${option}\n`;
  const amounts = `${count(given, 'question')} answered, ${kept} skipped, ${left} left`;
  io.stderr.write(
    given + left === 0
      ? `No question is open in ${folder} that ${path} does not answer.\n`
      : `\n${bold(amounts)}\n${more}`,
  );
  const { policies, workflows } = file.answers;
  if (workflows.size === 0 && Object.keys(policies).length === 0) return;
  io.stderr.write(
    `To apply the answers, run squadc migrate again as before${option && `, with${option}`}\n`,
  );
}

/** `squadc answer`: asks, in the terminal, the questions that a run left open. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type AnswersDocument, type RunAnswers, readRunAnswers } from '../../batch/answers.js';
import { isSettled, type OpenQuestion, readOpenQuestions } from '../../batch/questions.js';
import type { Target } from '../../index.js';
import { reasonOf } from '../../io/files.js';
import { NotASummary } from '../../report/summaries.js';
import { counted } from '../../text/counted.js';
import { askAll } from '../answer/session.js';
import type { CommandData, Context } from '../command.js';
import { jsonText, readInput, writeOutput } from '../files.js';
import { sayFindings } from '../input/places.js';
import { type ExitCode, exitCodes, Refusal } from '../io.js';
import { inTerminal } from '../output/prompts.js';
import { printable, styleFor } from '../output/terminal.js';

interface AnswerFlags {
  readonly answers?: string;
  readonly json?: true;
}

export const command: CommandData<[out: string], AnswerFlags> = {
  description:
    'Asks the questions that `squadc migrate` left open, one after another, with their place and ' +
    'choices. Every answer is saved immediately, so Ctrl-C loses nothing, and no question is ' +
    'asked twice.',
  arguments: { '<out>': 'output folder of the migration' },
  hasConfig: true,
  options: {
    'Options:': {
      '--answers <file>': 'file for the answers (default: answers.json in that folder)',
      '--json': 'list the open questions as JSON instead of asking',
    },
  },
  exits: [2],
  examples: ['squadc migrate workflows -o out', 'squadc answer out'],
  action: ([out], flags, context) => answer(out, flags, context),
};

async function answer(out: string, flags: AnswerFlags, context: Context): Promise<ExitCode> {
  const { io } = context;
  const { target, questions } = readQuestions(out, io.cwd);
  const path = flags.answers ?? context.config.answers ?? join(out, 'answers.json');
  let { answers } = await readAnswers(path, target, context);
  const open = () => questions.filter((each) => !isSettled(each, answers));
  const before = open();
  const exitCode = () => (open().length === 0 ? exitCodes.complete : exitCodes.questionsOpen);
  if (flags.json) {
    const listed = before.map(({ of, question }) => ({ ...of, question }));
    const answered = questions.length - before.length;
    io.stdout.write(jsonText({ answers: path, answered, open: listed }));
    return exitCode();
  }
  const skipped: OpenQuestion[] = [];
  if (before.length > 0) {
    const instead =
      `Write the answers into ${path}; the questions.md of each workflow ends with what to ` +
      `copy, and squadc answer ${out} --json lists all questions.`;
    await inTerminal(io, instead, async (prompts) => {
      prompts.write(printable(`Answers are saved to ${path} one by one. Ctrl-C stops.\n`));
      await askAll({
        questions,
        prompts,
        skipped,
        style: styleFor(io.stdout, io.env),
        cwd: io.cwd,
        answers: () => answers,
        change: async (by) => {
          // Reads the file again, to keep what others have written to it in the meantime.
          const { document } = await readAnswers(path, target, context);
          await writeOutput(path, jsonText(by(document)), io);
          ({ answers } = await readAnswers(path, target, context));
        },
      });
    });
  }
  const left = open();
  const [folder, file] = [printable(out), printable(path)];
  const option = path === join(out, 'answers.json') ? '' : ` --answers ${file}`;
  if (before.length === 0) {
    io.stderr.write(`${file} answers all open questions in ${folder}.\n`);
  } else {
    const given = counted(before.length - left.length, 'question');
    const kept = left.filter((each) => skipped.includes(each)).length;
    const amounts = `${given} answered, ${kept} skipped, ${left.length} left`;
    io.stderr.write(`\n${styleFor(io.stderr, io.env).bold(amounts)}\n`);
    if (left.length > 0) io.stderr.write(`For the others: squadc answer ${folder}${option}\n`);
  }
  if (answers.workflows.size + Object.keys(answers.policies).length > 0) {
    const how = `as before${option && `, with${option}`}`;
    io.stderr.write(`To apply the answers, run squadc migrate again ${how}\n`);
  }
  return exitCode();
}

function readQuestions(out: string, cwd: string) {
  try {
    return readOpenQuestions(resolve(cwd, out));
  } catch (error) {
    const isOfFile = error instanceof Error && 'code' in error;
    if (!isOfFile && !(error instanceof NotASummary)) throw error;
    throw new Refusal(
      `cannot read the results in ${out}: ${reasonOf(error)}\n` +
        '  help: Pass the output folder of squadc migrate. Running squadc migrate again repairs it.',
    );
  }
}

/** Reads the answers file; without one, the answers are empty. Refuses invalid answers. */
async function readAnswers(
  path: string,
  target: Target,
  context: Context,
): Promise<{ readonly document: AnswersDocument; readonly answers: RunAnswers }> {
  const { io } = context;
  if (!existsSync(resolve(io.cwd, path))) return { document: {}, answers: readRunAnswers([]) };
  const text = await readInput(path, io);
  const { diagnostics, ...answers } = readRunAnswers([{ name: path, text }], [], target);
  if (diagnostics.some(({ diagnostic }) => diagnostic.severity === 'error')) {
    sayFindings(diagnostics, context);
    throw new Refusal(`${path} does not contain answers of a run`);
  }
  return { document: JSON.parse(text), answers };
}

/** `squadc compile`: compiles one workflow into a squad, or reports what prevents it. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type AnswersDocument, readRunAnswers } from '../../batch/answers.js';
import { subjectOf } from '../../batch/settle.js';
import { emit } from '../../report/representations.js';
import { bindFor } from '../../serve/compile-bound.js';
import { askAll } from '../answer/session.js';
import { borrowed, type CommandData, type Context } from '../command.js';
import {
  type Compiled,
  compileFile,
  compileInput,
  exitCodeOf,
  jsonResult,
  readToCompile,
  reportSummary,
} from '../compiling.js';
import { deliver, jsonText, readInput, standardInput, writeOutput } from '../files.js';
import { WrongUsage } from '../io.js';
import { type CompileFlags, compileOptions } from '../options.js';
import { inTerminal } from '../output/prompts.js';
import { styleFor } from '../output/terminal.js';

const emitKinds = [
  'flow-graph',
  'regions',
  'squad-ir',
  'source-map',
  'ledger',
  'tool-bindings',
] as const;

interface Flags extends CompileFlags {
  readonly ask?: true;
  readonly emit?: (typeof emitKinds)[number];
}

export const command: CommandData<[string], Flags> = {
  description:
    'Compiles a workflow into a squad, which goes to standard output. Diagnostics, open ' +
    'questions with a template for answers, and a summary go to standard error.',
  arguments: { '<file>': 'workflow as JSON; - reads standard input' },
  hasConfig: true,
  options: {
    'Answers:': {
      ...compileOptions['Answers:'],
      '--ask': 'ask open questions here, and save the answers there',
    },
    'Squad:': compileOptions[borrowed]!,
    'Output:': {
      '-o, --output <file>': 'write to this file, only if it is complete',
      '--emit <what>': ['print this instead', (it) => it.choices(emitKinds).conflicts('json')],
      '--json': 'print the whole result as one JSON object',
      '--verbose': 'also show informational diagnostics',
    },
  },
  exits: [2],
  examples: ['squadc compile workflow.json --answers answers.json -o squad.json'],
  async action([file], flags, context) {
    const given = flags.ask ? await askWhileOpen(file, flags, context) : flags;
    const compiled = await compileFile(file, given, context);
    await putOut(compiled, flags, context);
    return flags.json ? exitCodeOf(compiled) : reportSummary(compiled, context.io, flags.output);
  },
};

/** Asks until nothing is open or the user stops. Returns the flags with the answers. */
async function askWhileOpen(file: string, flags: Flags, context: Context): Promise<Flags> {
  const { io, config } = context;
  if (file === standardInput)
    throw new WrongUsage('--ask needs a file; standard input is read once');
  const answers = flags.answers ?? config.answers ?? 'answers.json';
  const { answers: _, ...without } = flags;
  for (let goesOn = true; ; ) {
    const isThere = existsSync(resolve(io.cwd, answers));
    const given = isThere ? { ...flags, answers } : without;
    const input = await readToCompile(file, given, context);
    const { result } = await compileInput(input, flags, context);
    if (!goesOn || result.status !== 'needs-answers') return given;
    const key = input.ofRun?.key ?? 'workflow';
    const text = isThere ? JSON.parse(await readInput(answers, io)) : {};
    let document: AnswersDocument =
      input.ofRun === null
        ? { policies: text.policies, workflows: { [key]: { answers: text.answers } } }
        : text;
    const of = { key, name: null, source: file };
    const questions = result.questions.map((question) => {
      const subject = subjectOf(question, input.workflow);
      return { of, question: { ...question, subject }, tried: {} };
    });
    const skipped: typeof questions = [];
    goesOn = false;
    await inTerminal(io, `Write the answers into ${answers}.`, async (prompts) => {
      await askAll({
        ...{ questions, prompts, skipped, cwd: io.cwd, style: styleFor(io.stdout, io.env) },
        answers: () => readRunAnswers([{ name: answers, text: JSON.stringify(document) }]),
        change: async (by) => {
          document = by(document);
          const own = Object.entries(document.workflows?.[key]?.answers ?? {});
          const plain = own.map(([id, { subject: _, ...answer }]) => [id, answer]);
          const { policies = {} } = document;
          const saved = { policies, answers: Object.fromEntries(plain) };
          await writeOutput(answers, jsonText(input.ofRun === null ? saved : document), io);
        },
      });
      goesOn = skipped.length === 0;
    });
  }
}

/** Writes to a file only if the result is complete. */
async function putOut(compiled: Compiled, flags: Flags, context: Context): Promise<void> {
  const { output, json } = flags;
  const document = documentOf(compiled, flags);
  const toFile = output !== undefined && output !== standardInput;
  if (json) context.io.stdout.write(jsonText(jsonResult(compiled, context)));
  if (document === null || (toFile ? compiled.result.status !== 'complete' : json)) return;
  await deliver(jsonText(document), output, context.io);
}

/** Null for an invalid workflow: what could be read of it may be a different workflow. */
function documentOf({ input, result, options }: Compiled, { emit: what }: Flags): object | null {
  if (result.status === 'invalid') return null;
  if (what === undefined) return result.output;
  if (what === 'source-map') return result.sourceMap;
  if (what === 'ledger') return result.ledger;
  if (what === 'tool-bindings') return result.toolBindings ?? {};
  const bound = bindFor(input.workflow, options);
  return emit(bound.workflow, bound.options, what).document;
}

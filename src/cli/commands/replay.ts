/** `squadc replay`: holds recorded calls against a workflow and its squad. */
import { replay } from '../../replay/replay.js';
import { splitCalls, UnreadableCall } from '../../replay/split.js';
import { bindFor } from '../../serve/compile-bound.js';
import { counted } from '../../text/counted.js';
import { borrowed, type CommandData } from '../command.js';
import { cannotRead, deliver, jsonText, readPieces, refuseTwoStandardInputs } from '../files.js';
import { readJsonFile, sayDiagnostics } from '../input/places.js';
import { readWorkflowInput } from '../input/workflow.js';
import { exitCodes, type Io } from '../io.js';
import { answerOptions, type CompileFlags, outputOptions, squadOptions } from '../options.js';

export const command: CommandData<[string, string[]], CompileFlags & { readonly squad?: string }> =
  {
    description:
      'Prints as JSON what recorded calls show: the edges they took, what handoffs would have carried, ' +
      'and what no call does. Exits with 1 if the squad has no such call. Nothing that was said is shown.',
    arguments: {
      '<workflow>': 'workflow as JSON; - reads standard input',
      '<calls...>': 'lists, pages of results or JSON Lines; - reads standard input',
    },
    hasConfig: true,
    options: {
      'How the squad was made:': answerOptions,
      [borrowed]: squadOptions,
      'Output:': { '--squad <file>': 'squad to follow the calls through', ...outputOptions },
    },
    exits: [2],
    examples: ['squadc replay workflow.json night.json --squad squad.json -o replay.json'],
    async action([workflow, files], flags, context) {
      const { io } = context;
      refuseTwoStandardInputs([workflow, ...files, flags.squad, flags.answers]);
      const input = await readWorkflowInput(workflow, flags, context);
      const squad = flags.squad ? await readJsonFile(flags.squad, 'squad', '', context) : null;
      const bound = bindFor(input.workflow, input.options);
      const replayer = replay(bound.workflow, squad && (squad.value ?? {}), bound.options);
      const found = [input, squad, replayer.report()].flatMap((it) => it?.diagnostics ?? []);
      const isInvalid = found.some(({ severity }) => severity === 'error');
      for (const path of isInvalid ? [] : files) {
        for await (const call of callsIn(path, io)) replayer.add(call);
      }
      const report = replayer.report();
      const shown = [...found, ...report.misfits].filter(({ severity }) => severity !== 'info');
      const texts = [...input.texts, ...(squad === null ? [] : [squad.text])];
      sayDiagnostics(shown, { ...input, texts }, context);
      const { calls } = report;
      io.stderr.write(`${counted(calls.misfits, 'misfit')} in ${counted(calls.all, 'call')}\n`);
      if (isInvalid) return exitCodes.invalid;
      await deliver(jsonText(report), flags.output, io);
      if (calls.squadMisfits > 0) return exitCodes.invalid;
      const isOpen = found.some(({ code }) => code === 'check/undecided');
      return isOpen ? exitCodes.questionsOpen : exitCodes.complete;
    },
  };

/** The calls of a file. What is wrong with it is a refusal; other errors are bugs. */
async function* callsIn(path: string, io: Io): AsyncGenerator<unknown> {
  try {
    yield* splitCalls(readPieces(path, io));
  } catch (error) {
    throw error instanceof UnreadableCall ? cannotRead(path, error.message) : error;
  }
}

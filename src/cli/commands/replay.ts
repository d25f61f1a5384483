/** `squadc replay`: holds recorded calls against a workflow and its squad. */
import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { reasonOf } from '../../io/files.js';
import { replay } from '../../replay/replay.js';
import { splitCalls } from '../../replay/split.js';
import { bindFor } from '../../serve/compile-bound.js';
import { counted } from '../../text/counted.js';
import { borrowed, type CommandData } from '../command.js';
import { deliver, inputName, jsonText, refuseTwoStandardInputs, standardInput } from '../files.js';
import { readJsonFile, sayDiagnostics } from '../input/places.js';
import { readWorkflowInput } from '../input/workflow.js';
import { exitCodes, Refusal } from '../io.js';
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
        const bytes = path === standardInput ? io.stdin() : createReadStream(resolve(io.cwd, path));
        const decoder = new TextDecoder('utf-8', { fatal: true });
        const decode = async function* () {
          for await (const piece of bytes) yield decoder.decode(piece, { stream: true });
        };
        try {
          for await (const call of splitCalls(decode())) replayer.add(call);
        } catch (error) {
          throw new Refusal(`cannot read ${inputName(path)}: ${reasonOf(error)}`);
        }
      }
      const report = replayer.report();
      const shown = [...found, ...report.misfits].filter(({ severity }) => severity !== 'info');
      const texts = [...input.texts, ...(squad === null ? [] : [squad.text])];
      sayDiagnostics(shown, { ...input, texts }, context);
      const { calls } = report;
      const misfits = counted(calls.misfits, 'misfit');
      io.stderr.write(`${misfits} in ${counted(calls.all, 'call')}\n`);
      if (isInvalid) return exitCodes.invalid;
      await deliver(jsonText(report), flags.output, io);
      return calls.squadMisfits > 0 ? exitCodes.invalid : exitCodes.complete;
    },
  };

/** `squadc compile`: compiles one workflow into a squad, or reports what prevents it. */
import { emit } from '../../report/representations.js';
import { bindFor } from '../../serve/compile-bound.js';
import type { CommandData, Context } from '../command.js';
import { type Compiled, compileFile, exitCodeOf, jsonResult, reportSummary } from '../compiling.js';
import { jsonText, standardInput, writeOutput } from '../files.js';
import { type CompileFlags, compileOptions } from '../options.js';

const emitKinds = [
  'flow-graph',
  'regions',
  'squad-ir',
  'source-map',
  'ledger',
  'tool-bindings',
] as const;

interface Flags extends CompileFlags {
  readonly emit?: (typeof emitKinds)[number];
}

export const command: CommandData<[string], Flags> = {
  description:
    'Compiles a workflow into a squad. The squad goes to standard output; diagnostics, open ' +
    'questions with an answer template, and a summary go to standard error.',
  arguments: { '<file>': 'workflow as JSON; - reads standard input' },
  hasConfig: true,
  options: {
    ...compileOptions,
    'Output:': {
      '-o, --output <file>': 'write to this file, only if complete (default: standard output)',
      '--emit <what>': [
        'print this instead of the squad',
        (it) => it.choices(emitKinds).conflicts('json'),
      ],
      '--json': 'print the whole result as one JSON object',
      '--verbose': 'also show informational diagnostics',
    },
  },
  exits: [2],
  examples: ['squadc compile workflow.json --answers answers.json -o squad.json'],
  async action([file], flags, context) {
    const compiled = await compileFile(file, flags, context);
    await putOut(compiled, flags, context);
    return flags.json ? exitCodeOf(compiled) : reportSummary(compiled, context.io);
  },
};

/** Writes to a file only if the result is complete. */
async function putOut(compiled: Compiled, flags: Flags, context: Context): Promise<void> {
  const { io } = context;
  const document = documentOf(compiled, flags);
  const toFile = flags.output !== undefined && flags.output !== standardInput;
  if (flags.json) io.stdout.write(jsonText(jsonResult(compiled, context)));
  if (document === null) return;
  if (!toFile && !flags.json) io.stdout.write(jsonText(document));
  if (toFile && compiled.result.status === 'complete') {
    await writeOutput(flags.output, jsonText(document), io);
  }
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

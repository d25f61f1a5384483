/** `squadc check`: checks whether a squad is a faithful migration of a workflow. */
import { type BoundOptions, bindFor } from '../../adapters/tools/compile-bound.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import type { Verification } from '../../index.js';
import { type CommandData, type Context, namesOf, type Options } from '../command.js';
import { isReadWhole } from '../compiling.js';
import { exitCodes, Refusal } from '../exit.js';
import { jsonText, refuseTwoStandardInputs } from '../files.js';
import { placedDiagnostics, readJsonFile, type Text } from '../input/places.js';
import { type Input, readWorkflowInput } from '../input/workflow.js';
import { answerOptions, type CompileFlags, filesOf, squadOptions } from '../options.js';
import { reportCheck } from '../output/check-report.js';
import { columnsOf, styleFor } from '../output/terminal.js';

interface Flags extends CompileFlags {
  /** A migration's result.json, which replaces the answers and the options. */
  readonly result?: string;
}

/** The workflow, the files beside it, and the squad. */
export interface CheckInput extends Input {
  readonly squad: Text;
  /** Null if the text of the squad is not JSON. */
  readonly document: unknown;
}

const options: Options = { ...answerOptions, ...squadOptions };

export const command: CommandData<[workflow: string, squad: string], Flags> = {
  description:
    'Checks whether a squad, whoever made it, is a faithful migration of a workflow: the nine ' +
    'items of the checklist with evidence, and calls that behave differently. Pass the same ' +
    'answers and the options that the squad was made with.',
  arguments: {
    '<workflow>': 'workflow as JSON; - reads standard input',
    '<squad>': 'squad as JSON, in the shape of either target; - reads standard input',
  },
  options: {
    ...options,
    '--result <file>': [
      'result.json of a migration: the answers and options that the squad was made with',
      (it) => it.conflicts(namesOf(options)),
    ],
    '--json': 'print the verification as one JSON object',
    '--verbose': 'also show evidence that holds, and informational diagnostics',
  },
  exitCodes: {
    0: 'the squad passes',
    1: 'the squad fails, or an input is invalid or cannot be read',
  },
  examples: [
    'squadc check workflow.json squad.json --answers answers.json',
    'squadc check workflows/desk.json out/<key>/squad.json \\\n    --result out/<key>/result.json',
  ],
  async action([workflow, squad], flags, context) {
    refuseTwoStandardInputs([workflow, squad, ...filesOf(flags), flags.result]);
    const { stdout, env } = context.io;
    const input = await readCheckInput(workflow, squad, flags, context);
    const verification = verifyInput(input, context);
    if (flags.json) {
      const diagnostics = placedDiagnostics(verification.diagnostics, input, context.api);
      stdout.write(jsonText({ ...verification, diagnostics }));
    } else {
      const style = styleFor(stdout, env);
      const layout = { columns: columnsOf(stdout), style, verbose: flags.verbose === true };
      stdout.write(reportCheck(verification, input, layout, context.api));
    }
    return verification.holds ? exitCodes.complete : exitCodes.invalid;
  },
};

async function readCheckInput(
  workflowFile: string,
  squadFile: string,
  flags: Flags,
  context: Context,
): Promise<CheckInput> {
  const input = await readWorkflowInput(workflowFile, flags, context);
  const { text: squad, value, diagnostics } = await readJsonFile(squadFile, 'squad', '', context);
  // For an HTML page the check has its own message, better than a JSON syntax error.
  const isPage = value === null && squad.text.trimStart().startsWith('<');
  return {
    ...input,
    ...(flags.result !== undefined && { options: await optionsOfResult(flags.result, context) }),
    squad,
    document: isPage ? squad.text : value,
    texts: [input.source, squad, ...input.texts.slice(1)],
    diagnostics: [...input.diagnostics, ...(isPage ? [] : diagnostics)],
  };
}

/** The options `compile` was given. Does not check each part: the compiler does. */
async function optionsOfResult(path: string, context: Context): Promise<BoundOptions> {
  const { value } = await readJsonFile(path, 'squad', '', context);
  const {
    options: made,
    answers,
    policies,
  }: JsonObject = isJsonObject(value as Json) ? (value as JsonObject) : {};
  const given = isJsonObject(answers) ? Object.entries(answers) : [['', null] as const];
  if (
    !isJsonObject(made) ||
    !isJsonObject(policies) ||
    !given.every(([, it]) => isJsonObject(it as Json))
  ) {
    const help = 'pass the result.json that squadc migrate wrote next to the squad';
    throw new Refusal(`${path} is not a result of a migration\n(${help})`);
  }
  const own = given.map(([id, answer]) => [id, { ...(answer as JsonObject), subject: undefined }]);
  return { ...made, answers: { policies, answers: Object.fromEntries(own) } } as BoundOptions;
}

/** Verifies the squad, unless an input could not be read completely. */
function verifyInput(input: CheckInput, { api }: Context): Verification {
  const { workflow, document, diagnostics } = input;
  if (!isReadWhole(input)) {
    return { holds: false, checklist: [], counterexamples: [], diagnostics };
  }
  const bound = bindFor(workflow, input.options);
  const found = api.verify(bound.workflow, document, bound.options);
  return {
    holds: found.holds,
    checklist: found.checklist,
    counterexamples: found.counterexamples,
    diagnostics: [...diagnostics, ...bound.diagnostics, ...found.diagnostics],
  };
}

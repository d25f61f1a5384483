/** `squadc check`: checks whether a squad is a faithful migration of a workflow. */
import type { Verification } from '../../index.js';
import { checkText } from '../../report/check-text.js';
import { type BoundOptions, bindFor } from '../../serve/compile-bound.js';
import { isObject, type Json, type JsonObject } from '../../text/json.js';
import { borrowed, type CommandData, type Context, namesOf } from '../command.js';
import { isReadWhole } from '../compiling.js';
import { jsonText, refuseTwoStandardInputs } from '../files.js';
import { findingsOf, placedDiagnostics, readJsonFile, renderAll } from '../input/places.js';
import { type Input, readWorkflowInput } from '../input/workflow.js';
import { exitCodes, Refusal, type Text } from '../io.js';
import { answerOptions, type CompileFlags, squadOptions } from '../options.js';
import { columnsOf, styleFor } from '../output/terminal.js';

interface CheckInput extends Input {
  readonly squad: Text;
  /** Null if the text of the squad is not JSON. */
  readonly document: unknown;
}

interface Flags extends CompileFlags {
  /** A migration's result.json, which replaces the answers and the options. */
  readonly result?: string;
}

type Files = [workflow: string, squad: string];

export const command: CommandData<Files, Flags> = {
  description:
    'Checks whether a squad, whoever made it, is a faithful migration of a workflow: the nine ' +
    'items of the checklist with evidence, calls that behave differently, and what only a person ' +
    'can decide. Pass the same answers and the options that the squad was made with.',
  arguments: {
    '<workflow>': 'workflow as JSON; - reads standard input',
    '<squad>': 'squad as JSON, in the shape of either target; - reads standard input',
  },
  hasConfig: true,
  options: {
    'How the squad was made:': {
      ...answerOptions,
      '--result <file>': [
        "a migration's result.json, instead of all these",
        (it) => it.conflicts(namesOf({ ...answerOptions, ...squadOptions })),
      ],
    },
    [borrowed]: squadOptions,
    'Output:': {
      '--json': 'print the verification as one JSON object',
      '--verbose': 'also show evidence that holds, and informational diagnostics',
    },
  },
  exits: [2],
  examples: [
    'squadc check workflow.json squad.json --answers answers.json',
    'squadc check workflows/desk.json out/<key>/squad.json \\\n    --result out/<key>/result.json',
  ],
  async action(files, flags, context) {
    refuseTwoStandardInputs([...files, flags.answers, flags.result]);
    const { api } = context;
    const { stdout, env } = context.io;
    const input = await readCheckInput(files, flags, context);
    const verification = verifyInput(input, context);
    if (flags.json) {
      const diagnostics = placedDiagnostics(verification.diagnostics, input, api);
      stdout.write(jsonText({ ...verification, diagnostics }));
    } else {
      const [style, columns] = [styleFor(stdout, env), columnsOf(stdout)];
      const render = (few: Verification['diagnostics']) => [
        ...renderAll(findingsOf(few, input, api), api, style, columns),
      ];
      const [{ locateAll }, { verbose = false }] = [api, flags];
      const sheet = { ...input, verbose, columns, style, locateAll, render };
      stdout.write(checkText(verification, sheet));
    }
    return exits[verification.verdict];
  },
};

const exits = {
  holds: exitCodes.complete,
  fails: exitCodes.invalid,
  undecided: exitCodes.questionsOpen,
} as const;

async function readCheckInput(files: Files, flags: Flags, context: Context): Promise<CheckInput> {
  const [workflowFile, squadFile] = files;
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
  const { options: made, policies, answers } = (value ?? {}) as Record<string, Json>;
  if (![made, policies, answers].every(isObject)) {
    const help = 'pass the result.json that squadc migrate wrote next to the squad';
    throw new Refusal(`${path} is not a result of a migration\n(${help})`);
  }
  const own = Object.entries(answers as JsonObject).map(([id, answer]) => {
    return [id, { ...(answer as JsonObject), subject: undefined }];
  });
  const given = { policies, answers: Object.fromEntries(own) };
  return { ...(made as JsonObject), answers: given } as BoundOptions;
}

/** Verifies the squad, unless an input could not be read completely. */
function verifyInput(input: CheckInput, { api }: Context): Verification {
  const { workflow, document, diagnostics } = input;
  if (!isReadWhole(input)) {
    const nothing = { checklist: [], counterexamples: [], undecided: [] };
    return { verdict: 'fails', holds: false, ...nothing, diagnostics };
  }
  const bound = bindFor(workflow, input.options);
  const verification = api.verify(bound.workflow, document, bound.options);
  const all = [...diagnostics, ...bound.diagnostics, ...verification.diagnostics];
  return { ...verification, diagnostics: all };
}

/** `squadc check`: checks whether a squad is a faithful migration of a workflow. */
import { shorten } from '../../diagnostics/quote.js';
import type { ChecklistItem, Evidence, Verification, Walk, WalkStep } from '../../index.js';
import { type BoundOptions, bindFor } from '../../serve/compile-bound.js';
import { counted } from '../../text/counted.js';
import { isObject, type Json, type JsonObject } from '../../text/json.js';
import { valueAt } from '../../text/pointer.js';
import { type CommandData, type Context, namesOf, type Options } from '../command.js';
import { isReadWhole } from '../compiling.js';
import { jsonText, refuseTwoStandardInputs } from '../files.js';
import { placedDiagnostics, readJsonFile, renderAll, type Text } from '../input/places.js';
import { type Input, readWorkflowInput } from '../input/workflow.js';
import { exitCodes, Refusal } from '../io.js';
import { answerOptions, type CompileFlags, filesOf, squadOptions } from '../options.js';
import { columnsOf, hanging, styleFor } from '../output/terminal.js';

interface Flags extends CompileFlags {
  /** A migration's result.json, which replaces the answers and the options. */
  readonly result?: string;
}

interface CheckInput extends Input {
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
    const { stdout } = context.io;
    const input = await readCheckInput(workflow, squad, flags, context);
    const verification = verifyInput(input, context);
    if (flags.json) {
      const diagnostics = placedDiagnostics(verification.diagnostics, input, context.api);
      stdout.write(jsonText({ ...verification, diagnostics }));
    } else {
      stdout.write(reportCheck(verification, input, flags.verbose === true, context));
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
    return { holds: false, checklist: [], counterexamples: [], diagnostics };
  }
  const bound = bindFor(workflow, input.options);
  const {
    holds,
    checklist,
    counterexamples,
    diagnostics: found,
  } = api.verify(bound.workflow, document, bound.options);
  const all = [...diagnostics, ...bound.diagnostics, ...found];
  return { holds, checklist, counterexamples, diagnostics: all };
}

/** Limits without `--verbose`. `places` counts per side, `steps` at each end of a call. */
const most = { facts: 10, places: 4, walks: 5, steps: 12, diagnostics: 30 };

/** Diagnostics that only repeat a checklist item or a call shown above. */
const shownAbove: ReadonlySet<string> = new Set(['check/item-fails', 'check/walk']);

const colours = { holds: 'green', fails: 'red', waived: 'yellow' } as const;

type Pointing = Pick<Evidence, 'source' | 'output'>;

/**
 * The output: a table of the checklist with the facts that fail, the calls that
 * differ, the diagnostics, and the result.
 *
 *      2  fails   The assistant count is minimized, linear chains are merged, no
 *                 cyclical handoff pair is left split: 1 of 4 fails
 *                 ✗ “Desk” hands off to “Table” and nothing keeps them apart; …
 *                   workflow.json:12:7  /edges/1
 *                   squad.json:40:13  /squad/members/0/…
 *
 *     Calls that the squad answers otherwise:
 *
 *      1. start → collect → [wants a table] → booking
 *         “Booking” does not say “A table it is.” where the call comes to “booking”.
 *         workflow.json:31:5  /nodes/2
 */
function reportCheck(
  verification: Verification,
  input: CheckInput,
  verbose: boolean,
  { io: { stdout, env }, api }: Context,
): string {
  const [style, columns] = [styleFor(stdout, env), columnsOf(stdout)];
  const { holds, checklist, counterexamples, diagnostics } = verification;
  const more = (left: number, lead: string) =>
    left <= 0 ? [] : hanging(lead, `… and ${left} more (--verbose shows all)`, columns);
  const listed = <Item>(
    items: readonly Item[],
    limit: number,
    lead: string,
    linesOf: (item: Item, index: number) => string[],
  ) => {
    const shown = verbose ? items : items.slice(0, limit);
    return [...shown.flatMap(linesOf), ...more(items.length - shown.length, lead)];
  };

  const factsOf = ({ evidence }: ChecklistItem) =>
    verbose ? evidence : evidence.filter(({ holds: does }) => !does);
  const pointing: readonly Pointing[] = [...checklist.flatMap(factsOf), ...counterexamples];
  const sides = (['source', 'output'] as const).map((side) => {
    const { name, text } = side === 'source' ? input.source : input.squad;
    const found = api.locateAll(text, new Set(pointing.flatMap((each) => each[side])));
    return { side, name, found };
  });
  /** `workflow.json:12:7  /edges/1` */
  const placeLines = (of: Pointing, lead: string): string[] =>
    sides.flatMap(({ side, name, found }) =>
      listed(of[side], most.places, lead, (at) => {
        const place = found.get(at);
        const file = place ? `${name}:${place.line}:${place.column}` : name;
        return hanging(lead, `${file}  ${at}`, columns).map(style.cyan);
      }),
    );

  const margin = ' '.repeat(12);
  const itemLines = checklist.flatMap((item) => {
    const { title, waivedBy, evidence } = item;
    const state = item.holds ? (waivedBy === undefined ? 'holds' : 'waived') : 'fails';
    const lead = `${String(item.item).padStart(2)}  ${state.padEnd(6)}  `;
    const [head = '', ...others] = hanging(lead, `${title}: ${factCount(evidence)}`, columns);
    return [
      head.replace(state, (word) => style.bold(style[colours[state]](word))),
      ...others,
      ...(waivedBy ? hanging(margin, `waived by the answer to ${waivedBy}`, columns) : []),
      ...listed(factsOf(item), most.facts, margin, (fact) => [
        ...hanging(`${margin}${fact.holds ? '✓' : '✗'} `, fact.text, columns),
        ...placeLines(fact, `${margin}  `),
      ]),
    ];
  });
  const callLines = listed(counterexamples, most.walks, '    ', (walk, index) => {
    const steps = stepsInWords(walk, input.workflow as Json, verbose);
    const head = hanging(`${String(index + 1).padStart(2)}. `, steps, columns);
    const rest = [...hanging('    ', walk.text, columns), ...placeLines(walk, '    ')];
    return [...head.map(style.bold), ...rest];
  });
  const callsHead = hanging('', 'Calls that the squad handles differently:', columns);
  const wanted = diagnostics.filter(
    ({ severity, code }) => verbose || (severity !== 'info' && !shownAbove.has(code)),
  );
  const shown = verbose ? wanted : wanted.slice(0, most.diagnostics);
  const parts = [
    itemLines,
    counterexamples.length > 0 ? callsHead.map(style.bold) : [],
    callLines,
    ...renderAll(shown, input, api, style, columns).map((text) => [text]),
    more(wanted.length - shown.length, ''),
    hanging('', summaryOf(verification), columns).map(holds ? style.green : style.red),
  ];
  const texts = parts.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
  return `${texts.join('\n\n')}\n`;
}

/** `4 facts`, or `1 of 4 fails`. */
function factCount(evidence: readonly Evidence[]): string {
  const against = evidence.filter(({ holds }) => !holds).length;
  if (against === 0) return counted(evidence.length, 'fact');
  return `${against} of ${evidence.length} ${against === 1 ? 'fails' : 'fail'}`;
}

/** The nodes of a call and, in brackets between them, the conditions. */
function stepsInWords({ steps }: Walk, workflow: Json, verbose: boolean): string {
  const parts = steps.map((step, index) => {
    const condition = index === 0 ? null : conditionOf(step, workflow);
    return condition === null ? step.node : `[${shorten(condition, 60)}] → ${step.node}`;
  });
  const left = parts.length - 2 * most.steps;
  if (!verbose && left > 0) parts.splice(most.steps, left, `… ${left} more …`);
  return parts.join(' → ');
}

/** The condition of the edge taken, or of the global node entered. */
function conditionOf({ at, via }: WalkStep, workflow: Json): string | null {
  const condition = valueAt(workflow, `${via ?? at}/condition`);
  const words = isObject(condition) ? condition['prompt'] : condition;
  if (typeof words === 'string') return words;
  return via === null ? 'from anywhere' : null;
}

/** `holds: 9 items, 80 facts`, or the number of failures. */
function summaryOf({ holds, checklist, counterexamples, diagnostics }: Verification): string {
  const facts = checklist.reduce((sum, { evidence }) => sum + evidence.length, 0);
  if (holds) return `holds: ${counted(checklist.length, 'item')}, ${counted(facts, 'fact')}`;
  const failed = checklist.filter((item) => !item.holds).length;
  const errors = diagnostics.filter(
    ({ severity, code }) => severity === 'error' && !shownAbove.has(code),
  );
  const against: string[] = [];
  if (failed > 0) against.push(`${counted(failed, 'item')} of ${checklist.length}`);
  if (counterexamples.length > 0) against.push(counted(counterexamples.length, 'call'));
  if (errors.length > 0) against.push(counted(errors.length, 'error'));
  return `does not hold: ${against.join(', ')}`;
}

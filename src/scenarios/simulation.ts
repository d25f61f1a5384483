/**
 * A script → the platform's simulation scenario: instructions for the tester, evaluations of the run,
 * responses of the tools.
 *
 * Guarantees: conditions stand word for word in the instructions; names are within the platform's
 * limits; there is at least one evaluation. A tool without a mock acts for real: an unmocked transfer
 * dials.
 */
import { createToolNames } from '../compiler/ir/names.js';
import { shorten } from '../diagnostics/quote.js';
import type { Script } from './script.js';
import type { Sample } from './values.js';
import { howItEnds, whatToDo, whatToSay } from './wording.js';

/** A body of the platform's create-scenario call. */
export interface SimulationScenario {
  readonly name: string;
  readonly instructions: string;
  readonly evaluations: readonly Evaluation[];
  readonly targetOverrides?: { readonly variableValues: Readonly<Record<string, Sample>> };
  readonly toolMocks?: readonly { readonly toolName: string; readonly result: string }[];
}

interface Evaluation {
  readonly structuredOutput: { readonly name: string; readonly schema: object };
  readonly comparator: '=';
  readonly value: Sample;
}

/** Limits of the platform, in characters. */
export const longestInstructions = 10_000;
const longestName = 80;

/** `tools` are those of the squad that must not act for real. */
export function toSimulationScenario(
  script: Script,
  total: number,
  tools: readonly string[],
): SimulationScenario {
  const { number, turns, mocks } = script;
  const results = new Map(mocks.map(({ tool, result }) => [tool, result]));
  const toolMocks = tools.map((toolName) => ({ toolName, result: results.get(toolName) ?? '{}' }));
  const name = `Call ${number} of ${total}`;
  const title = `${name}: ${turns[0]!.node.id} to ${turns.at(-1)!.node.id}`;
  return {
    name: title.length <= longestName ? title : name,
    instructions: instructionsOf(script),
    evaluations: evaluationsOf(script),
    ...(script.supplied.size > 0 && {
      targetOverrides: { variableValues: Object.fromEntries(script.supplied) },
    }),
    ...(toolMocks.length > 0 && { toolMocks }),
  };
}

function inQuotes(text: string): string {
  return `"${text}"`;
}

function instructionsOf({ turns, end }: Script): string {
  const steps = turns.map((turn, at) => {
    const says = turn.says.map((each) => whatToSay(each, inQuotes));
    return `${at + 1}. ${[whatToDo(turn, inQuotes), ...says].join(' ')}`;
  });
  return [
    'You are the caller. Follow these steps in order, and do nothing that would lead elsewhere. Text in quotes is word for word.',
    ...steps,
    `Then: ${howItEnds(end, turns.at(-1)!.node, inQuotes)}`,
  ].join('\n');
}

/** What was captured last under each name, how the call ended, and that it took this path. */
function evaluationsOf(script: Script): Evaluation[] {
  const { turns, end } = script;
  const give = createToolNames();
  const evaluation = (wanted: string, schema: object, value: Sample): Evaluation => {
    return { structuredOutput: { name: give(wanted).name, schema }, comparator: '=', value };
  };
  const said = new Map(turns.flatMap(({ says }) => says).map((each) => [each.capture.name, each]));
  const ended = `Whether this happened: ${howItEnds(end, turns.at(-1)!.node, inQuotes)}`;
  const went = `Did the assistant go through all of this, in this order: ${stepsOf(script)}`;
  return [
    evaluation('ended_as_expected', { type: 'boolean', description: ended }, true),
    evaluation('went_the_expected_way', { type: 'boolean', description: went }, true),
    ...[...said.values()].flatMap(({ capture, value }) => {
      const { name, type, description, enum: choices } = capture;
      // Lists and objects cannot be compared.
      if (type === 'array' || type === 'object') return [];
      const schema = { type, description: description?.value ?? name };
      return evaluation(name, choices === null ? schema : { ...schema, enum: choices }, value);
    }),
  ];
}

/** Each step by what can be noticed of it: its line, else what the assistant calls or should do. */
function stepsOf({ turns }: Script): string {
  const parts = turns.flatMap(({ node, tools }) => {
    const line = node.firstMessage ?? node.transfer?.message ?? null;
    if (line !== null) return inQuotes(line.value);
    if (node.role === 'exit') return [];
    if (tools.length > 0) return `a call of ${tools.map(inQuotes).join(', ')}`;
    const task = node.systemPrompt?.value ?? node.name ?? node.id;
    return inQuotes(shorten(task, longestTask));
  });
  return parts.map((part, at) => `${at + 1}. ${part}`).join(' ');
}

/** Enough to recognize a task. */
const longestTask = 200;

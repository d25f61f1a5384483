/**
 * A script → the platform's simulation scenario: instructions for the tester, evaluations of the run,
 * responses of the tools; and all scenarios → the requests of a run.
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
/** Enough to recognize a task. */
const longestTask = 200;
const caller =
  'You are calling on the phone. Do what the scenario says, answer in one short sentence at a time, ' +
  'and speak as people do: numbers and addresses in words.';

/** `tools` are those of the squad that must not act for real. */
export function toSimulationScenario(
  script: Script,
  total: number,
  tools: readonly string[],
): SimulationScenario {
  const { number, turns, mocks, supplied } = script;
  const results = new Map(mocks.map(({ tool, result }) => [tool, result]));
  const toolMocks = tools.map((toolName) => ({ toolName, result: results.get(toolName) ?? '{}' }));
  const name = `Call ${number} of ${total}`;
  const title = `${name}: ${turns[0]!.node.id} to ${turns.at(-1)!.node.id}`;
  const end = howItEnds(script, inQuotes);
  const steps = turns.map((turn) => {
    const says = turn.says.map((each) => whatToSay(each, inQuotes));
    return [whatToDo(turn, inQuotes), ...says].join(' ');
  });
  const rules = 'Follow these steps in order, and do nothing that would lead elsewhere.';
  return {
    name: title.length <= longestName ? title : name,
    instructions: [
      `You are the caller. ${rules} Text in quotes is word for word.`,
      ...numbered(steps),
      `Then: ${end}`,
    ].join('\n'),
    evaluations: evaluationsOf(script, end),
    ...(supplied.size > 0 && {
      targetOverrides: { variableValues: Object.fromEntries(supplied) },
    }),
    ...(toolMocks.length > 0 && { toolMocks }),
  };
}

const inQuotes = (text: string) => `"${text}"`;
const numbered = (lines: readonly string[]) => lines.map((line, at) => `${at + 1}. ${line}`);

/** What was captured last under each name, how the call ended, and that it took this path. */
function evaluationsOf({ turns }: Script, end: string): Evaluation[] {
  const give = createToolNames();
  const evaluation = (wanted: string, schema: object, value: Sample): Evaluation => {
    return { structuredOutput: { name: give(wanted).name, schema }, comparator: '=', value };
  };
  const said = new Map(turns.flatMap(({ says }) => says).map((each) => [each.capture.name, each]));
  const steps = numbered(turns.flatMap(describeTurn)).join(' ');
  const claims = {
    ended_as_expected: `Whether this happened: ${end}`,
    went_the_expected_way: `Did the assistant go through all of this, in this order: ${steps}`,
  };
  return [
    ...Object.entries(claims).map(([name, description]) =>
      evaluation(name, { type: 'boolean', description }, true),
    ),
    ...[...said.values()].flatMap(({ capture, value }) => {
      const { name, type, description, enum: choices } = capture;
      // Lists and objects cannot be compared.
      if (type === 'array' || type === 'object') return [];
      const schema = { type, description: description?.value ?? name };
      return evaluation(name, choices === null ? schema : { ...schema, enum: choices }, value);
    }),
  ];
}

/** What can be noticed of a step: its line, else what the assistant calls or should do. */
function describeTurn({ node, tools }: Script['turns'][number]): string | [] {
  const line = node.firstMessage ?? node.transfer?.message ?? null;
  if (line !== null) return inQuotes(line.value);
  if (node.role === 'exit') return [];
  if (tools.length > 0) return `a call of ${tools.map(inQuotes).join(', ')}`;
  return inQuotes(shorten(node.systemPrompt?.value ?? node.name ?? node.id, longestTask));
}

/**
 * What has to be sent to the platform for a run of all scenarios, in order: a personality, the
 * scenarios, a simulation for each, a suite, the run. `<name>` stands for the id that the platform
 * gave to the request of that name.
 */
export function toBundle(
  title: string | null,
  scenarios: readonly SimulationScenario[],
  squad: object,
): object[] {
  const name = shorten(title ?? 'Test calls', longestName);
  const post = (called: string, path: string, body: object) => {
    return { name: called, post: `/eval/simulation${path}`, body };
  };
  const messages = [{ role: 'system', content: caller }];
  const assistant = { model: { provider: 'openai', model: 'gpt-4o', messages } };
  const simulations = scenarios.map((scenario, at) => {
    const ids = { scenarioId: `<scenario ${at + 1}>`, personalityId: '<personality>' };
    return post(`simulation ${at + 1}`, '', { name: scenario.name, ...ids });
  });
  const simulationIds = simulations.map((it) => `<${it.name}>`);
  const suite = { type: 'simulationSuite', simulationSuiteId: '<suite>' };
  return [
    post('personality', '/personality', { name, assistant }),
    ...scenarios.map((body, at) => post(`scenario ${at + 1}`, '/scenario', body)),
    ...simulations,
    post('suite', '/suite', { name, simulationIds }),
    post('run', '/run', { simulations: [suite], target: { type: 'squad', squad } }),
  ];
}

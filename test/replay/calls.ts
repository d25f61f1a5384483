/** Calls as the platform's API returns them, made from walks; and what a walk can leave in a record. */
import { type Machine, nodeOf, type Step } from '../../src/call/machine.js';
import type { FlowGraph } from '../../src/compiler/ir/flow-graph.js';
import { findMove, type Tracks } from '../../src/scenarios/explore.js';

/** What of a call is read; the other fields are here because the platform sends them. */
export interface Call {
  id: string;
  orgId: string;
  createdAt: string;
  updatedAt: string;
  endedReason: string;
  workflowId?: string;
  squadId?: string;
  artifact: {
    nodes?: NodeArtifact[];
    assistantActivations?: { assistantName: string; assistantId?: string }[];
    messages: Message[];
    variableValues?: Record<string, unknown>;
  };
}

export interface NodeArtifact {
  nodeName: string;
  messages: Message[];
  variableValues: Record<string, unknown>;
}

type Spoken = { role: string; message: string; time: number; secondsFromStart: number };
type Message = Spoken | (Spoken & { toolCalls: Record<string, unknown>[] });

/** Stands in everything that anybody says. */
export const spoken = 'PRIVATE-WORDS';

const said = (role: string, more: object = {}) => {
  return { role, message: `${spoken} of the ${role}`, time: 1, secondsFromStart: 1, ...more };
};
const fields = (id: string) => ({
  ...{ id, orgId: 'org', createdAt: '2026-08-18T09:00:00Z', updatedAt: '2026-08-18T09:05:00Z' },
  endedReason: 'customer-ended-call',
});

/** A function call; what the model writes into its arguments was said, too. */
const calling = (name: string): Message => {
  const called = { name, arguments: JSON.stringify({ reason: spoken }) };
  return said('tool_calls', { toolCalls: [{ id: 'call', type: 'function', function: called }] });
};

export type Visit = readonly [name: string, values?: readonly string[]];

export function workflowCall(visits: readonly Visit[], id = 'call-1'): Call {
  const nodes = visits.map(([nodeName, names = []]) => ({
    nodeName,
    messages: [said('bot'), said('user')],
    variableValues: Object.fromEntries(names.map((name) => [name, `${spoken} ${name}`])),
  }));
  const variableValues = Object.assign({}, ...nodes.map((it) => it.variableValues));
  return { ...fields(id), artifact: { nodes, messages: [said('user')], variableValues } };
}

export function squadCall(
  assistants: readonly string[],
  functions: readonly string[],
  id = 'call-1',
): Call {
  const messages = [said('user'), ...functions.map(calling), said('bot')];
  const assistantActivations = assistants.map((assistantName) => ({ assistantName }));
  return { ...fields(id), artifact: { assistantActivations, messages } };
}

/** The call that takes these steps through the workflow: each node with what it finds out. */
export function visitsOf(
  graph: FlowGraph,
  steps: readonly Step[],
  named: 'id' | 'name' = 'id',
): Visit[] {
  return [graph.start, ...steps.map(({ to }) => to)].map((index) => {
    const node = nodeOf(graph, index);
    const captures = node.captures.map(({ name }) => name);
    return [(named === 'name' ? node.name : null) ?? node.id, captures];
  });
}

/** The same in the squad: the assistants that become active, and the functions that are called. */
export function marksOf({ graph, squad }: Tracks, steps: readonly Step[]) {
  const called = (member: number) => squad.assistants[member]!.member.called;
  const marks: Mark[] = [{ assistant: called(squad.places[0]!.member) }];
  let place = squad.places[0]!;
  marks.push(...functionsAt(squad, graph, 0).map((name) => ({ function: name })));
  for (const step of steps) {
    const move = findMove(squad, graph, place, step);
    place = squad.places[move.to]!;
    const by = move.handoff?.tool?.name;
    if (move.handoff !== null) {
      marks.push({ assistant: called(place.member), ...(by && { function: by }) });
    }
    marks.push(...functionsAt(squad, graph, move.to).map((name) => ({ function: name })));
  }
  return marks;
}

/** An assistant that becomes active, by a function if one is named; else a function. */
export interface Mark {
  readonly assistant?: string;
  readonly function?: string;
}

export function callOfMarks(marks: readonly Mark[]): Call {
  const assistants = marks.flatMap(({ assistant }) => assistant ?? []);
  return squadCall(
    assistants,
    marks.flatMap((it) => it.function ?? []),
  );
}

/** What is called at a place. */
export function functionsAt(
  { places, assistants }: Machine,
  graph: FlowGraph,
  at: number,
): string[] {
  const { acts, node, member } = places[at]!;
  const { role, type } = nodeOf(graph, node);
  if (role === 'exit') return [type === 'transferCall' ? type : 'endCall'];
  const { tools } = assistants[member]!.member;
  return acts.flatMap((it) =>
    it.kind === 'sent' ? tools.flatMap(({ value, name }) => (value === it.tool ? name : [])) : [],
  );
}

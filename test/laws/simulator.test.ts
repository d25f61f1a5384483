/** The simulator on squads written by hand: right ones pass, wrong ones are noticed. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/compiler/ir/json.js';
import type { Answer } from '../../src/index.js';
import {
  carriedAt,
  destinationsOf,
  layTracks,
  schemasAt,
  valueAt,
} from '../../src/simulator/squad.js';
import { readSource } from '../../src/simulator/workflow.js';
import {
  describeWalk,
  explore,
  interpret,
  type Pick,
  proposed,
  randomWalk,
  readTracks,
  type SpecWorkflow,
  settle,
  type Tracks,
  walks,
} from '../../src/testing.js';
import { graph, worked } from './graphs.js';

/** A squad by hand: the nodes of each member, and what each handoff carries (`a>b`: names). */
function squadOf(
  workflow: SpecWorkflow,
  members: readonly (readonly string[])[],
  plans: Readonly<Record<string, readonly string[]>>,
): Tracks {
  const home = (id: string): number => members.findIndex((ids) => ids.includes(id));
  const outputs: string[][] = workflow.edges.map(() => []);
  const assistants = members.map((ids, member) => {
    const leaving = workflow.edges.flatMap((edge, index) =>
      ids.includes(edge.from) && !ids.includes(edge.to) ? [{ ...edge, index }] : [],
    );
    const base = `/squad/members/${member}/assistant/model`;
    for (const [index, { from, to }] of workflow.edges.entries()) {
      if (ids.includes(from) && ids.includes(to))
        outputs[index]?.push(`${base}/messages/0/content`);
    }
    const destinations = leaving.map(({ from, to, index }, number) => {
      outputs[index]?.push(`${base}/tools/0/destinations/${number}`);
      const names = plans[`${from}>${to}`] ?? [];
      const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
      const plan = { schema: { type: 'object', properties, required: names } };
      return { assistantName: `m${home(to)}`, variableExtractionPlan: plan };
    });
    const tools = destinations.length > 0 ? [{ type: 'handoff', destinations }] : [];
    return { assistant: { name: `m${member}`, model: { tools, messages: [{ content: '' }] } } };
  });
  const nodes = workflow.nodes.map(({ id }, index) => ({
    kind: 'node' as const,
    at: `/nodes/${index}`,
    status: 'converted' as const,
    outputs: members.flatMap((ids, member) =>
      ids.includes(id) ? [`/squad/members/${member}`] : [],
    ),
  }));
  const edges = outputs.map((places, index) => ({
    kind: 'edge' as const,
    at: `/edges/${index}`,
    status: 'converted' as const,
    outputs: places,
  }));
  const document = { squad: { members: assistants } } as unknown as Json;
  return layTracks(readSource(workflow), document, [...nodes, ...edges]);
}

const workedMembers = [
  ['greet', 'collect'],
  ['billing', 'end'],
  ['support', 'end'],
];
const both = { 'collect>billing': ['account'], 'collect>support': ['account'] };
const toBilling = '/squad/members/0/assistant/model/tools/0/destinations/0';

describe('the simulator', () => {
  it('finds the same values where plans carry what is read', () => {
    const tracks = squadOf(worked(), workedMembers, both);
    expect(explore(tracks, 'account')).toBeNull();
    expect(explore(tracks, 'topic')).toBeNull();
  });

  it('notices a property that is taken out of a plan', () => {
    const tracks = squadOf(worked(), workedMembers, both);
    const walk = walks(worked()).find((each) => describeWalk(each) === 'greet → collect → billing');
    const poorer = { ...tracks, document: withoutVariable(tracks.document, toBilling, 'account') };
    expect(interpret(tracks, walk!, 'account')).toBeNull();
    const difference = { place: 'on entry of billing', inSource: 'account@1', inSquad: null };
    expect(interpret(poorer, walk!, 'account')).toMatchObject(difference);
    expect(explore(poorer, 'account')).toMatchObject(difference);
  });

  it('notices an older value where a later one was captured', () => {
    const workflow = graph('a>b b>c');
    capture(workflow, 'a', 'x');
    capture(workflow, 'b', 'x');
    read(workflow, 'c', 'x');
    const stale = squadOf(workflow, [['a'], ['b'], ['c']], { 'a>b': ['x'] });
    expect(explore(stale, 'x')).toMatchObject({ inSource: 'x@1', inSquad: 'x@0' });
    expect(explore(squadOf(workflow, [['a'], ['b'], ['c']], { 'b>c': ['x'] }), 'x')).toBeNull();
  });

  it('lets a response reach everybody, and a plan overwrite it', () => {
    const workflow = graph('a>t t>b');
    capture(workflow, 'a', 'x');
    respond(workflow, 't', 'x');
    read(workflow, 'b', 'x');
    expect(explore(squadOf(workflow, [['a', 't'], ['b']], {}), 'x')).toBeNull();
    const mixed = squadOf(workflow, [['a', 't'], ['b']], { 't>b': ['x'] });
    expect(explore(mixed, 'x')).toMatchObject({ inSource: 'x@1', inSquad: 'x@0' });
  });

  it('reads an expression when the node is left, after its captures', () => {
    const workflow = graph('a>b b>c b>d');
    const [, edge] = workflow.edges;
    if (edge) edge.condition = "x == 'yes'";
    capture(workflow, 'a', 'x');
    const apart = [['a'], ['b'], ['c'], ['d']];
    expect(explore(squadOf(workflow, apart, {}), 'x')).toMatchObject({ place: 'on leaving of b' });
    capture(workflow, 'b', 'x');
    expect(explore(squadOf(workflow, apart, {}), 'x')).toBeNull();
  });
});

describe('answers', () => {
  const settled = (workflow: SpecWorkflow, choose: Record<string, Answer>, compile = {}) => {
    const pick: Pick = (question) => choose[question.kind] ?? proposed(question);
    return readTracks(workflow, settle(workflow, compile, pick));
  };

  it('are part of the source: a capture somewhere else, another name', () => {
    const workflow = graph('a>b a>c b>d c>d');
    read(workflow, 'd', 'x');
    const value = { choice: 'captured-at', value: 'b' };
    const captured = settled(workflow, { 'undefined-variable': value });
    expect(captured.source.workflow.nodes[1]?.extractVariables).toMatchObject([{ name: 'x' }]);
    expect(explore(captured, 'x')).toBeNull();
    capture(workflow, 'c', 'y');
    const named = settled(workflow, { 'undefined-variable': { choice: 'rename', value: 'y' } });
    expect(named.source.workflow.nodes[3]?.systemPrompt).toBe('Use {{y}}.');
    expect(explore(named, 'y')).toBeNull();
    expect(workflow.nodes[3]?.systemPrompt).toBe('Use {{x}}.');
  });

  it('let a tool set what a condition needs, or what must not be lost', () => {
    const workflow = graph('a>b a>c b>d b>e c>d');
    capture(workflow, 'a', 'x');
    Object.assign(workflow.edges[2] ?? {}, { condition: "x == 'yes'" });
    const tool = { choice: 'tool', value: { tool: 'lookup' } };
    const judged = settled(workflow, { 'logical-condition': tool });
    expect(explore(judged, 'x')).toBeNull();
    read(workflow, 'd', 'x');
    const critical = settled(
      workflow,
      { 'critical-variable': tool, 'logical-condition': { choice: 'prose' } },
      { criticalVariables: ['x'] },
    );
    const carried = destinationsOf(critical, 0).flatMap((at) => carriedAt(critical.document, at));
    expect(carried).toEqual([]);
    expect(explore(critical, 'x')).toBeNull();
  });

  it('carry a variable as an argument of the handoff, for target `vapi`', () => {
    const tracks = settled(
      worked(),
      { 'critical-variable': { choice: 'argument' } },
      { target: 'vapi', criticalVariables: ['account'] },
    );
    const at = '/members/0/assistant/model/tools/0/destinations/0';
    expect(carriedAt(tracks.document, at)).toEqual(['account']);
    expect(explore(tracks, 'account')).toBeNull();
    const poorer = { ...tracks, document: withoutVariable(tracks.document, at, 'account') };
    expect(carriedAt(poorer.document, at)).toEqual([]);
    expect(explore(poorer, 'account')).toMatchObject({ place: 'on entry of billing' });
  });

  it('carry nothing by an argument that may be left out', () => {
    const tracks = settled(worked(), {}, { target: 'vapi', pass: 'arguments' });
    const at = '/members/0/assistant/model/tools/0';
    expect(explore(tracks, 'account')).toBeNull();
    const text = JSON.stringify(tracks.document);
    const optional = text.replaceAll('["destination","account"]', '["destination"]');
    const looser = { ...tracks, document: JSON.parse(optional) };
    expect(optional).not.toBe(text);
    expect(carriedAt(looser.document, `${at}/destinations/0`)).toEqual([]);
    expect(explore(looser, 'account')).toMatchObject({ place: 'on entry of billing' });
  });
});

describe('walks', () => {
  it('are listed with the shortest first, and with steps into global nodes', () => {
    const texts = walks(graph('a>b b>e *g'), { maxSteps: 2 }).map(describeWalk);
    expect(texts).toEqual(['a', 'a → b', 'a ⇒ g', 'a → b → e', 'a → b ⇒ g', 'a ⇒ g ⇒ g']);
  });

  it('name nodes and edges by their places, as counterexamples do', () => {
    const [, walk = []] = walks(graph('a>b'));
    expect(walk).toEqual([
      { node: 'a', at: '/nodes/0', via: null },
      { node: 'b', at: '/nodes/1', via: '/edges/0' },
    ]);
  });

  it('begin where they are told to, where the workflow does not say', () => {
    const workflow = graph('a>b b>a');
    expect(() => walks(workflow)).toThrow('0 nodes can be the start');
    expect(walks(workflow, { start: 'b', max: 2 }).map(describeWalk)).toEqual(['b', 'b → a']);
  });

  it('are drawn by numbers, and stop where there is no way on', () => {
    expect(describeWalk(randomWalk(graph('a>b a>c c>e'), [1, 0, 5]))).toBe('a → c → e');
  });

  it('cannot be followed along an edge that no call takes', () => {
    const tracks = readTracks(worked(), settle(worked()));
    const start = { node: 'greet', at: '/nodes/0', via: null };
    const walk = [start, { node: 'end', at: '/nodes/4', via: '/edges/9' }];
    expect(() => interpret(tracks, walk, 'account')).toThrow('no call can come to end');
  });
});

function nodeOf(workflow: SpecWorkflow, id: string) {
  return workflow.nodes.find((node) => node.id === id);
}

function capture(workflow: SpecWorkflow, id: string, name: string): void {
  const variable = { name, type: 'string' as const, description: name };
  Object.assign(nodeOf(workflow, id) ?? {}, { extractVariables: [variable] });
}

function respond(workflow: SpecWorkflow, id: string, name: string): void {
  const variable = { name, type: 'string' as const, description: name, path: name };
  Object.assign(nodeOf(workflow, id) ?? {}, { responseVariables: [variable] });
}

function read(workflow: SpecWorkflow, id: string, name: string): void {
  Object.assign(nodeOf(workflow, id) ?? {}, { systemPrompt: `Use {{${name}}}.` });
}

/** The document with one variable taken out of what one destination carries. */
function withoutVariable(document: Json, destination: string, variable: string): Json {
  const copy = structuredClone(document) as Json;
  for (const at of schemasAt(destination)) {
    const properties = valueAt(copy, `${at}/properties`) as Record<string, Json> | undefined;
    if (properties) delete properties[variable];
  }
  return copy;
}

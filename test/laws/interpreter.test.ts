/** The reference interpreter on squads written by hand: right ones pass, wrong ones are noticed. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/compiler/ir/json.js';
import {
  describeWalk,
  explore,
  interpret,
  type SpecWorkflow,
  type Tracks,
  walks,
} from '../../src/testing/index.js';
import { withoutVariable, witnessOf } from '../../src/testing/plan-witness.js';
import { readSource } from '../../src/testing/source.js';
import { layTracks } from '../../src/testing/squad-tracks.js';
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

describe('the reference interpreter', () => {
  it('finds the same values where plans carry what is read', () => {
    const tracks = squadOf(worked(), workedMembers, both);
    expect(explore(tracks, 'account')).toBeNull();
    expect(explore(tracks, 'topic')).toBeNull();
  });

  it('notices a property that is taken out of a plan', () => {
    const tracks = squadOf(worked(), workedMembers, both);
    const walk = witnessOf(tracks, toBilling, 'account') ?? [];
    expect(describeWalk(walk)).toBe('greet → collect → billing');
    const poorer = { ...tracks, document: withoutVariable(tracks.document, toBilling, 'account') };
    expect(interpret(tracks, walk, 'account')).toBeNull();
    const difference = { place: 'on entry of billing', inSource: 'account@1', inSquad: null };
    expect(interpret(poorer, walk, 'account')).toMatchObject(difference);
    expect(explore(poorer, 'account')).toMatchObject(difference);
  });

  it('knows a property that is carried in vain', () => {
    const tracks = squadOf(worked(), workedMembers, { 'collect>billing': ['account', 'topic'] });
    expect(witnessOf(tracks, toBilling, 'topic')).toBeNull();
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

  it('lists the shortest walks first, and steps into global nodes', () => {
    const texts = walks(graph('a>b b>e *g'), { maxSteps: 2 }).map(describeWalk);
    expect(texts).toEqual(['a', 'a → b', 'a ⇒ g', 'a → b → e', 'a → b ⇒ g', 'a ⇒ g ⇒ g']);
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

/** What the laws hold the compiler against, on workflows by hand: simulated calls, the grouping. */
import { describe, expect, it } from 'vitest';
import type { Answer, Boundary, CompileOptions } from '../../src/index.js';
import {
  describeWalk,
  explore,
  proposed,
  randomWalk,
  readGraph,
  readTracks,
  referenceGrouping,
  type SpecWorkflow,
  settle,
  type Tracks,
  walks,
} from '../../src/testing.js';
import type { Any } from '../compiler/build.js';
import { graph, worked } from './graphs.js';

/** The same squad, in which the variable crosses nowhere. */
function without(tracks: Tracks, name: string): Tracks {
  const document = JSON.parse(JSON.stringify(tracks.document), (key, value) => {
    if (key === 'properties') delete value[name];
    return value;
  });
  return { ...tracks, document };
}

/** The same squad, in which handoffs carry the variable as given: `a>b` where one is of all. */
function carrying(tracks: Tracks, list: string): Tracks {
  const document: Any = structuredClone(tracks.document);
  for (const { assistant } of document.squad.members) {
    for (const { destinations = [] } of assistant.model.tools ?? []) {
      for (const it of destinations) {
        const isCarried = list.split(' ').includes(`${assistant.name}>${it.assistantName}`);
        it.variableExtractionPlan = { schema: { properties: isCarried ? { x: {} } : {} } };
      }
    }
  }
  return { ...tracks, document };
}

describe('a simulated call', () => {
  const branching = 'a>b b>c b>d b!x c?x';
  const later = 'a>b a>d b>c b>d a!x b!x c?x';
  const response = 'a>t t>b t>d a!x t=x b?x';
  const apart = 'a>b a>f b>c b>d';

  it.each<readonly [string, string, string, string | null]>([
    ['finds what plans carry', branching, 'a>c', null],
    ['misses what one does not', branching, 'a>d', 'on entry of c, x@1, not null'],
    ['finds the later of two captures', later, 'b>c', null],
    ['notices the older in its place', later, 'a>b', 'on entry of c, x@1, not x@0'],
    ['gives a response to everybody', response, '', null],
    ['lets a plan overwrite it', response, 'a>b', 'on entry of b, x@1, not x@0'],
    ['reads expressions last', `${apart} a!x c:x`, '', 'on leaving of b, x@0, not null'],
    ['reads them after captures', `${apart} b!x c:x`, '', null],
  ])('%s', (_, text, handoffs, expected) => {
    const workflow = graph(text);
    const found = explore(carrying(readTracks(workflow, settle(workflow)), handoffs), 'x');
    expect(found && `${found.place}, ${found.inSource}, not ${found.inSquad}`).toBe(expected);
  });
});

describe('answers are part of the source', () => {
  const tool = { tool: 'lookup' };
  const options: CompileOptions = { target: 'vapi', criticalVariables: ['x'] };

  // Whether a kind of answer takes the variable over a handoff.
  it.each<readonly [string, string, string, Answer, string, boolean]>([
    ['captured somewhere else', '', 'undefined', { choice: 'captured-at', value: 'b' }, 'x', true],
    ['called otherwise', ' c!y', 'undefined', { choice: 'rename', value: 'y' }, 'y', true],
    ['set, as it is critical', ' a!x', 'critical', { choice: 'tool', value: tool }, 'x', false],
    ['an argument', ' a!x', 'critical', { choice: 'argument' }, 'x', true],
  ])('a variable is %s', (_, more, kind, given, variable, crosses) => {
    const workflow = graph(`a>b a>c b>d c>d d?x${more}`);
    const picks = { [`${kind}-variable`]: given };
    expect(crossesIn(workflow, picks, kind === 'critical' ? options : {}, variable)).toBe(crosses);
  });

  it('a variable is set by a tool that a condition needs', () => {
    const picks = { 'logical-condition': { choice: 'tool', value: tool } };
    expect(crossesIn(graph('a>b a>c b>d b>e c>d a!x d:x'), picks, {}, 'x')).toBe(false);
  });

  /** Whether the squad, which has to be right, would miss the variable at a handoff. */
  function crossesIn(
    workflow: SpecWorkflow,
    picks: Readonly<Record<string, Answer>>,
    given: CompileOptions,
    variable: string,
  ): boolean {
    const before = structuredClone(workflow);
    const settlement = settle(workflow, given, (each) => picks[each.kind] ?? proposed(each));
    const tracks = readTracks(workflow, settlement);
    expect(workflow).toEqual(before);
    expect(explore(tracks, variable)).toBeNull();
    return explore(without(tracks, variable), variable) !== null;
  }

  it('and an argument that may be left out carries nothing', () => {
    const tracks = readTracks(worked(), settle(worked(), { target: 'vapi', pass: 'arguments' }));
    expect(explore(tracks, 'account')).toBeNull();
    const text = JSON.stringify(tracks.document);
    const optional = text.replaceAll('["destination","account"]', '["destination"]');
    const looser = { ...tracks, document: JSON.parse(optional) };
    expect(explore(looser, 'account')).toMatchObject({ place: 'on entry of billing' });
  });
});

describe('walks', () => {
  it('are listed with the shortest first, and with steps into global nodes', () => {
    const texts = walks(readGraph(graph('a>b b>e *g')), { maxSteps: 2 }).map(describeWalk);
    expect(texts).toEqual(['a', 'a → b', 'a ⇒ g', 'a → b → e', 'a → b ⇒ g', 'a ⇒ g ⇒ g']);
  });

  it('are drawn by numbers, and stop at a dead end', () => {
    expect(describeWalk(randomWalk(readGraph(graph('a>b a>c c>e')), [1, 0, 5]))).toBe('a → c → e');
  });
});

describe('the reference grouping', () => {
  type Given = { readonly boundary?: Boundary; readonly answer?: Answer };
  const twins = graph('a>b a>c b>d c>d a>d');
  for (const node of twins.nodes) if (/[bc]/.test(node.id)) node.systemPrompt = 'The same.';
  const split: Given = { answer: { choice: 'keep-split' } };
  const grouped: Given = { answer: { choice: 'group', value: [['a', 'b']] } };
  const tools: Given = { boundary: 'tools' };

  it.each<readonly [string, SpecWorkflow, string, Given]>([
    ['the worked pattern', worked(), 'billing end | collect greet | end support', {}],
    ['a chain, its tools and its end', graph('a>t a>e t>b b>e'), 'a b e t', {}],
    ['a longer chain', graph('a>b b>t t>c c>e'), 'a b c e t', {}],
    ['a tool at the head of a branch', graph('a>t a>b t>c'), 'a | b | c t', {}],
    ['the tools of a diamond', graph('a>t1 a>t2 t1>b t2>b'), 'a b t1 t2', {}],
    ['a tool and a talk of a diamond', graph('a>t1 a>c t1>b c>b'), 'a t1 | b | c', {}],
    ['a tool with several predecessors', graph('a>b a>c b>t c>t'), 'a | b t | c t', {}],
    ['a tool at the start', graph('t>a a>b'), 'a b t', {}],
    ['a tool at the start that branches', graph('t>a t>b'), 'a | b | t', {}],
    ['a cycle', graph('s>a a>b b>a'), 'a b s', {}],
    ['a cycle that is split', graph('s>a a>b b>a'), 'a | b | s', split],
    ['a tool in a split cycle', graph('s>a a>t t>b b>c c>a'), 'a t | b | c | s', split],
    ['groups of a cycle', graph('s>a a>t t>b b>c c>a'), 'a b t | c | s', grouped],
    ['equal stages', twins, 'a | b c | d', {}],
    ['a global node', graph('a>b *g b>g'), 'a b | g', {}],
    ['a global tool', graph('a>b a>c *t'), 'a t | b t | c t', {}],
    ['a global end', graph('a>b *e'), 'a b e', {}],
    ['branches whose tools do not differ', graph('a>b a>c b>t c>d'), 'a b c d t', tools],
    ['branches whose tools differ', graph('a>b a>c a>t b>t2'), 'a c t | b t2', tools],
  ])('is right for %s', (_, workflow, expected, { boundary = 'branch', answer }) => {
    const settlement = settle(workflow, { boundary }, (each) => answer ?? proposed(each));
    const groups = referenceGrouping(workflow, { settlement, boundary }) ?? [];
    const named = groups.map((ids) => ids.sort().join(' ')).sort();
    expect(named.join(' | ')).toBe(expected);
  });
});

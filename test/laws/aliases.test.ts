/**
 * Aliases in the source and in the squad, walked side by side.
 *
 * The reference: a node's captures are events; its aliases wait until the call is handed over and
 * are evaluated then, over what the call knows. The squad has one bag: a handoff puts in what its
 * plan names and this visit has captured, then what its aliases make of the bag. On every walk a
 * text reads the same in both, an alias is made of the same, and without any property or alias of
 * any plan one of these differs.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompileResult, compile } from '../../src/index.js';
import { runs, seed } from '../seed.js';

interface Alias {
  readonly key: string;
  readonly value: string;
}

interface Node {
  readonly finds: readonly string[];
  readonly aliases: readonly Alias[];
  readonly reads: readonly string[];
  readonly next: readonly number[];
}

const some = (max: number, ...names: string[]) =>
  fc.uniqueArray(fc.constantFrom(...names), { maxLength: max });
const alias = fc.record({
  key: fc.constantFrom('k', 'm', 'k', 'm', 'a'),
  value: some(2, 'a', 'b', 'c', 'k').map((read) => `<${read.map((it) => `{{${it}}}`).join('+')}>`),
});

function nodesOf(size: number): fc.Arbitrary<Node[]> {
  const node: fc.Arbitrary<Node> = fc.record({
    finds: some(2, 'a', 'b', 'c'),
    aliases: fc.uniqueArray(alias, { maxLength: 2, selector: ({ key }) => key }),
    reads: some(2, 'a', 'k', 'm'),
    // Mostly onwards: what leads back becomes one assistant, and hands nothing over.
    next: fc.uniqueArray(fc.constantFrom(1, 1, 2, 2, 3, 3, size - 1), {
      minLength: 1,
      maxLength: 3,
    }),
  });
  return fc
    .array(node, { minLength: size, maxLength: size })
    .map((nodes) => nodes.map((it, at) => ({ ...it, next: onwards(it.next, at, size) })));
}

/** Steps ahead, as nodes; those that lead beyond the end lead nowhere, but for one back. */
function onwards(steps: readonly number[], from: number, size: number): number[] {
  const ends = steps.map((step) => from + step).filter((to) => to < size + 1);
  return [...new Set(ends.map((to) => to % size))].filter((to) => to !== from);
}

const workflows = fc.integer({ min: 3, max: 7 }).chain(nodesOf);

/** As the platform exports it. */
function exportOf(nodes: readonly Node[]): object {
  return {
    name: 'Walks',
    nodes: nodes.map(({ finds, aliases, reads }, at) => ({
      name: `n${at}`,
      type: 'conversation',
      ...(at === 0 ? { isStart: true } : {}),
      prompt: `Node ${at} says ${reads.map((it) => `{{${it}}}`).join(' and ')}.`,
      variableExtractionPlan: {
        schema: {
          type: 'object',
          properties: Object.fromEntries(finds.map((it) => [it, { type: 'string' }])),
        },
        aliases,
      },
    })),
    edges: edgesOf(nodes).map(({ from, to }, at) => ({
      from: `n${from}`,
      to: `n${to}`,
      condition: { type: 'ai', prompt: `way ${at}` },
    })),
  };
}

function edgesOf(nodes: readonly Node[]) {
  return nodes.flatMap(({ next }, from) => next.map((to) => ({ from, to })));
}

interface Plan {
  readonly properties: readonly string[];
  readonly aliases: readonly Alias[];
}

interface Tracks {
  readonly nodes: readonly Node[];
  /** The member that owns a node. */
  readonly homes: readonly number[];
  /** The plan of an edge; null where it leads on inside. */
  readonly plans: readonly (Plan | null)[];
}

function tracksOf(nodes: readonly Node[], { ledger, output }: CompileResult): Tracks {
  const outputsOf = (kind: string, at: string) =>
    ledger.find((it) => it.kind === kind && it.at === at)?.outputs ?? [];
  const valueAt = (at: string) =>
    at
      .split('/')
      .slice(1)
      .reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], output);
  return {
    nodes,
    homes: nodes.map((_, at) => Number(outputsOf('node', `/nodes/${at}`)[0]?.split('/')[2] ?? -1)),
    plans: edgesOf(nodes).map((_, at) => {
      const place = outputsOf('edge', `/edges/${at}`).find((it) => /destinations\/\d+$/.test(it));
      if (place === undefined) return null;
      const { variableExtractionPlan: plan } = valueAt(place) as {
        variableExtractionPlan?: { schema?: { properties: object }; aliases?: Alias[] };
      };
      return {
        properties: Object.keys(plan?.schema?.properties ?? {}),
        aliases: plan?.aliases ?? [],
      };
    }),
  };
}

/** An alias that waits for the handoff, and what its node has found under its key. */
interface Waiting extends Alias {
  readonly beneath: string | undefined;
}

type Known = Map<string, string>;

const usesOf = ({ value }: Alias) => [...value.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
const render = ({ value }: Alias, read: (name: string) => string | undefined) =>
  value.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => read(name) ?? '-');

/** Whether all reads of the walk, a list of edges, find the same; null where nobody can say. */
function agrees({ nodes, homes, plans }: Tracks, walk: readonly number[]): boolean | null {
  const edges = edgesOf(nodes);
  const source: Known = new Map();
  const waiting = new Map<string, Waiting>();
  const bag: Known = new Map();
  const captured: Known = new Map();
  let at = 0;
  let isSame = true;
  for (let step = 0; ; step += 1) {
    const { finds, aliases, reads } = nodes[at]!;
    for (const name of reads) {
      if (waiting.has(name)) continue;
      isSame &&= source.get(name) === (captured.get(name) ?? bag.get(name));
    }
    for (const name of finds) {
      waiting.delete(name);
      source.set(name, `${name}@${step}`);
      captured.set(name, `${name}@${step}`);
    }
    for (const each of aliases) {
      const beneath = finds.includes(each.key) ? source.get(each.key) : undefined;
      waiting.set(each.key, { ...each, beneath });
    }
    const index = walk[step];
    if (index === undefined) return isSame;
    const { to } = edges[index]!;
    const plan = plans[index];
    if (plan) {
      const made = new Set(waiting.keys());
      // Told by the compiler: an alias is also evaluated on walks past its node.
      const isMadeAnyway = plan.aliases.some(({ key }) => !made.has(key));
      if (isMadeAnyway || !evaluate(source, waiting)) return isSame ? null : false;
      for (const name of plan.properties) {
        const found = captured.get(name);
        if (found !== undefined) bag.set(name, found);
      }
      for (const each of plan.aliases) {
        const own = usesOf(each).filter((name) => name !== each.key);
        isSame &&= own.every((name) => source.get(name) === bag.get(name));
        bag.set(
          each.key,
          render(each, (name) => bag.get(name)),
        );
      }
      captured.clear();
    } else if (homes[at] !== homes[to]) throw new Error(`way ${index} is lost`);
    at = to;
  }
}

/** Gives every waiting alias its value; false where they are made of each other. */
function evaluate(source: Known, waiting: Map<string, Waiting>): boolean {
  while (waiting.size > 0) {
    const ready = [...waiting.values()].find((each) =>
      usesOf(each).every((name) => name === each.key || !waiting.has(name)),
    );
    if (ready === undefined) return false;
    waiting.delete(ready.key);
    const read = (name: string) => (name === ready.key ? ready.beneath : source.get(name));
    source.set(ready.key, render(ready, read));
  }
  return true;
}

/** All walks of so many steps and fewer. */
function walksOf(nodes: readonly Node[], length: number): number[][] {
  const edges = edgesOf(nodes);
  const walks: number[][] = [[]];
  for (const walk of walks) {
    if (walk.length >= length || walks.length > 3000) continue;
    const at = walk.length === 0 ? 0 : edges[walk.at(-1)!]!.to;
    edges.forEach(({ from }, index) => {
      if (from === at) walks.push([...walk, index]);
    });
  }
  return walks;
}

/** The document says of these that a squad cannot keep them. */
const exempt = /^data\/alias-(?:conflict|of-itself)$/;

function compiled(nodes: readonly Node[]): CompileResult {
  const policies = { 'undefined-variable': 'caller', 'cyclic-stages': 'consolidate' };
  const result = compile(exportOf(nodes), { target: 'vapi', answers: { policies } });
  expect(result.status).toBe('complete');
  fc.pre(!result.diagnostics.some(({ code }) => exempt.test(code)));
  return result;
}

function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, at) => at !== index);
}

/** Poorer by one property or alias of one plan; ways that share a destination share the plan. */
function* poorer(tracks: Tracks): Iterable<{ tracks: Tracks; what: string }> {
  const edges = edgesOf(tracks.nodes);
  for (const [edge, plan] of tracks.plans.entries()) {
    if (plan === null) continue;
    const { from, to } = edges[edge]!;
    const shares = (other: number) =>
      edges[other]!.from === from && tracks.homes[edges[other]!.to] === tracks.homes[to];
    const withPlan = (changed: Plan): Tracks => ({
      ...tracks,
      plans: tracks.plans.map((it, other) => (it !== null && shares(other) ? changed : it)),
    });
    for (const [at, name] of plan.properties.entries()) {
      const left = { ...plan, properties: without(plan.properties, at) };
      yield { tracks: withPlan(left), what: `${name} of way ${edge}` };
    }
    for (const [at, { key }] of plan.aliases.entries()) {
      const left = { ...plan, aliases: without(plan.aliases, at) };
      yield { tracks: withPlan(left), what: `alias ${key} of way ${edge}` };
    }
  }
}

describe('aliases', () => {
  it('are made of the same, and read the same, on every walk', () => {
    let derived = 0;
    fc.assert(
      fc.property(workflows, (nodes) => {
        const tracks = tracksOf(nodes, compiled(nodes));
        derived += tracks.plans.filter((plan) => (plan?.aliases.length ?? 0) > 0).length;
        for (const walk of walksOf(nodes, 7)) {
          if (agrees(tracks, walk) === false) expect.unreachable(`differs on ${walk.join(' ')}`);
        }
      }),
      { seed, numRuns: runs(150) },
    );
    expect(derived).toBeGreaterThan(15);
  }, 60_000);

  it('need all that crosses', () => {
    fc.assert(
      fc.property(workflows, (nodes) => {
        const tracks = tracksOf(nodes, compiled(nodes));
        const walks = walksOf(nodes, 7);
        if (walks.length > 3000 || walks.some((walk) => agrees(tracks, walk) === null)) return;
        for (const { tracks: less, what } of poorer(tracks)) {
          const isMissed = walks.some((walk) => agrees(less, walk) === false);
          expect(isMissed, `nobody misses ${what}`).toBe(true);
        }
      }),
      { seed, numRuns: runs(150) },
    );
  }, 60_000);
});

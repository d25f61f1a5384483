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
import { expect, it } from 'vitest';
import { type CompileResult, compile } from '../../src/index.js';
import { objectOf, valueAt } from '../json.js';
import { runs, seed } from '../seed.js';

interface Alias {
  readonly key: string;
  readonly value: string;
}

interface Node {
  readonly finds: readonly string[];
  readonly aliases: readonly Alias[];
  readonly reads: readonly string[];
  /** How many nodes ahead its edges lead. */
  readonly next: readonly number[];
}

const some = (max: number, ...names: string[]) =>
  fc.uniqueArray(fc.constantFrom(...names), { maxLength: max });
const derived = fc.record({
  key: fc.constantFrom('k', 'm', 'k', 'm', 'a'),
  value: some(2, 'a', 'b', 'c', 'k').map((read) => `<${read.map((it) => `{{${it}}}`).join('+')}>`),
});
const node: fc.Arbitrary<Node> = fc.record({
  finds: some(2, 'a', 'b', 'c'),
  aliases: fc.uniqueArray(derived, { maxLength: 2, selector: ({ key }) => key }),
  reads: some(2, 'a', 'k', 'm'),
  next: fc.uniqueArray(fc.constantFrom(1, 1, 2, 2, 3, 3), { minLength: 1, maxLength: 3 }),
});
const workflows = fc.array(node, { minLength: 3, maxLength: 7 });

/** Onwards only, but for one edge back to the first node: what leads back becomes one assistant. */
const edgesOf = (nodes: readonly Node[]) =>
  nodes.flatMap(({ next }, from) => {
    const ahead = next.map((steps) => from + steps).filter((to) => to <= nodes.length);
    const ends = ahead.map((to) => to % nodes.length).filter((to) => to !== from);
    return ends.map((to) => ({ from, to }));
  });

/** As the platform exports it. */
const exportOf = (nodes: readonly Node[]): object => ({
  name: 'Walks',
  nodes: nodes.map(({ finds, aliases, reads }, at) => {
    const properties = Object.fromEntries(finds.map((it) => [it, { type: 'string' }]));
    return {
      name: `n${at}`,
      type: 'conversation',
      ...(at === 0 && { isStart: true }),
      prompt: `Node ${at} says ${reads.map((it) => `{{${it}}}`).join(' and ')}.`,
      variableExtractionPlan: { schema: { type: 'object', properties }, aliases },
    };
  }),
  edges: edgesOf(nodes).map(({ from, to }, at) => {
    const condition = { type: 'ai', prompt: `way ${at}` };
    return { from: `n${from}`, to: `n${to}`, condition };
  }),
});

interface Plan {
  readonly properties: readonly string[];
  readonly aliases: readonly Alias[];
}

interface Tracks {
  readonly nodes: readonly Node[];
  /** The member that owns a node. */
  readonly homes: readonly string[];
  /** The plan of an edge; null where it leads on inside. */
  readonly plans: readonly (Plan | null)[];
}

function compiled(nodes: readonly Node[]): Tracks {
  const policies = { 'undefined-variable': 'caller', 'cyclic-stages': 'consolidate' };
  const result = compile(exportOf(nodes), { target: 'vapi', answers: { policies } });
  expect(result.status).toBe('complete');
  fc.pre(!result.diagnostics.some(({ code }) => code === 'data/alias-of-itself'));
  const { ledger, output } = result as CompileResult;
  const placesOf = (kind: string, at: string) =>
    ledger.find((each) => each.kind === kind && each.at === at)?.outputs ?? [];
  return {
    nodes,
    homes: nodes.map((_, at) => placesOf('node', `/nodes/${at}`)[0] ?? ''),
    plans: edgesOf(nodes).map((_, at) => {
      const place = placesOf('edge', `/edges/${at}`).find((it) => /destinations\/\d+$/.test(it));
      if (place === undefined) return null;
      const plan = `${place}/variableExtractionPlan`;
      const properties = Object.keys(objectOf(valueAt(output, `${plan}/schema/properties`)));
      const aliases: unknown = valueAt(output, `${plan}/aliases`) ?? [];
      return { properties, aliases: aliases as readonly Alias[] };
    }),
  };
}

type Known = Map<string, string>;
/** Aliases that wait for the handoff, with what their nodes have found under their keys. */
type Waiting = Map<string, Alias & { readonly beneath: string | undefined }>;

const usesOf = ({ value }: Alias) => [...value.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!);
const render = ({ value }: Alias, read: (name: string) => string | undefined) =>
  value.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => read(name) ?? '-');

/** Whether all reads of the walk, a list of edges, find the same; null where nobody can say. */
function agrees({ nodes, homes, plans }: Tracks, walk: readonly number[]): boolean | null {
  const edges = edgesOf(nodes);
  const [source, bag, captured]: Known[] = [new Map(), new Map(), new Map()];
  const waiting: Waiting = new Map();
  let at = 0;
  let isSame = true;
  for (let step = 0; ; step += 1) {
    const { finds, aliases, reads } = nodes[at]!;
    for (const name of reads) {
      const found = captured!.get(name) ?? bag!.get(name);
      isSame &&= waiting.has(name) || source!.get(name) === found;
    }
    for (const name of finds) {
      waiting.delete(name);
      for (const known of [source!, captured!]) known.set(name, `${name}@${step}`);
    }
    for (const each of aliases) {
      const beneath = finds.includes(each.key) ? source!.get(each.key) : undefined;
      waiting.set(each.key, { ...each, beneath });
    }
    const index = walk[step];
    if (index === undefined) return isSame;
    const { to } = edges[index]!;
    const plan = plans[index];
    if (!plan && homes[at] !== homes[to]) throw new Error(`way ${index} is lost`);
    at = to;
    if (!plan) continue;
    // One plan serves all walks: it derives a variable in one way, or extracts it, or not.
    const isOther =
      plan.aliases.some(({ key, value }) => waiting.get(key)?.value !== value) ||
      plan.properties.some((name) => waiting.has(name));
    if (isOther || !evaluate(source!, waiting)) return isSame ? null : false;
    for (const name of plan.properties) {
      const found = captured!.get(name);
      if (found !== undefined) bag!.set(name, found);
    }
    for (const each of plan.aliases) {
      const parts = usesOf(each).filter((name) => name !== each.key);
      isSame &&= parts.every((name) => source!.get(name) === bag!.get(name));
      const made = render(each, (name) => bag!.get(name));
      bag!.set(each.key, made);
    }
    captured!.clear();
  }
}

/** Gives every waiting alias its value; false where they are made of each other. */
function evaluate(source: Known, waiting: Waiting): boolean {
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

const most = 3000;

/** All walks of up to eleven steps, as lists of edges. */
function walksOf(nodes: readonly Node[]): number[][] {
  const edges = edgesOf(nodes);
  const walks: number[][] = [[]];
  for (const walk of walks) {
    if (walk.length >= 11 || walks.length > most) continue;
    const at = walk.length === 0 ? 0 : edges[walk.at(-1)!]!.to;
    for (const [index, { from }] of edges.entries()) if (from === at) walks.push([...walk, index]);
  }
  return walks;
}

/** Poorer by one property or alias of one plan; ways that share a destination share the plan. */
function* poorer(tracks: Tracks): Iterable<Tracks> {
  const edges = edgesOf(tracks.nodes);
  for (const [edge, plan] of tracks.plans.entries()) {
    const { from, to } = edges[edge]!;
    const shares = (other: number) =>
      edges[other]!.from === from && tracks.homes[edges[other]!.to] === tracks.homes[to];
    const plans = (changed: Plan) =>
      tracks.plans.map((it, at) => (it && shares(at) ? changed : it));
    for (const at of plan?.properties.keys() ?? [])
      yield {
        ...tracks,
        plans: plans({ ...plan!, properties: plan!.properties.toSpliced(at, 1) }),
      };
    for (const [at, alias] of plan?.aliases.entries() ?? []) {
      const isSame = ({ key, value }: Alias) => key === alias.key && value === alias.value;
      // What another node derives, too, may be known already.
      if (tracks.nodes.filter(({ aliases }) => aliases.some(isSame)).length > 1) continue;
      yield { ...tracks, plans: plans({ ...plan!, aliases: plan!.aliases.toSpliced(at, 1) }) };
    }
  }
}

it('aliases are made of the same, and read the same, on every walk, and need all that crosses', () => {
  let aliases = 0;
  let asked = 0;
  const property = fc.property(workflows, (nodes) => {
    const tracks = compiled(nodes);
    aliases += tracks.plans.filter((plan) => (plan?.aliases.length ?? 0) > 0).length;
    const walks = walksOf(nodes);
    const found = walks.map((walk) => agrees(tracks, walk));
    expect(walks.filter((_, at) => found[at] === false)).toEqual([]);
    if (walks.length > most || found.includes(null)) return;
    for (const less of poorer(tracks)) {
      asked += 1;
      const isMissed = walks.some((walk) => agrees(less, walk) === false);
      expect(isMissed, `nobody misses what is not in ${JSON.stringify(less.plans)}`).toBe(true);
    }
  });
  fc.assert(property, { seed, numRuns: runs(150) });
  expect(Math.min(aliases, asked)).toBeGreaterThan(15);
});

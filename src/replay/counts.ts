/** Counts of what calls did. Beyond a limit of distinct things nothing grows with the number of calls. */
import type { Machine } from '../call/machine.js';
import { carriedBy } from '../call/squad.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { Passage } from './follow.js';
import type { FitStep, Misfit, Replay } from './result.js';

/** Distinct paths, groups of edges and misfits; ids of calls for a misfit; steps of a path. */
const mostKept = 10_000;
const mostIds = 5;
const longestPath = 200;

export class Counts {
  private readonly tallies = new Map<string, Map<string, number>>();
  private readonly ids = new Map<string, string[]>();

  constructor(
    private readonly graph: FlowGraph | null,
    private readonly squad: Machine | null,
  ) {}

  private add(what: string, keys: Iterable<string>): void {
    const tally = this.tallies.get(what) ?? new Map<string, number>();
    this.tallies.set(what, tally);
    for (const key of new Set(keys)) {
      if (tally.has(key) || tally.size < mostKept) tally.set(key, (tally.get(key) ?? 0) + 1);
    }
  }

  private of(what: string, key: string): number {
    return this.tallies.get(what)?.get(key) ?? 0;
  }

  /** The most frequent first; of equals, the first. */
  private list<T>(what: string, make: (key: string, count: number) => T): T[] {
    const sorted = [...(this.tallies.get(what) ?? [])].sort(([, a], [, b]) => b - a);
    return sorted.map(([key, count]) => make(key, count));
  }

  addMisfit({ record: _, ...misfit }: Misfit, id: string | null): void {
    const key = JSON.stringify(misfit);
    this.add('misfit', [key]);
    const ids = this.ids.get(key) ?? [];
    if (this.of('misfit', key) === 1) this.ids.set(key, ids);
    if (id !== null && ids.length < mostIds) ids.push(id);
  }

  /** `known`: what had a value at the end, if that is recorded. */
  addSteps(steps: readonly FitStep[], known: ReadonlySet<string> | null): void {
    const made = steps.flatMap(({ handoff, carries }) => (handoff ? { handoff, carries } : []));
    const handoffs = made.map(({ handoff }) => handoff);
    if (this.squad !== null) this.add('length', [String(made.length)]);
    this.add('handoff', handoffs);
    if (known === null) return;
    for (const { handoff, carries } of made) {
      this.add(carries.length === 0 ? 'empty' : 'full', [handoff]);
      this.add(handoff, carries);
    }
    const nodes = this.graph!.workflow.nodes.filter(({ at }) => steps.some((it) => it.at === at));
    const due = nodes.flatMap(({ captures }) => captures.map(({ name }) => name));
    for (const name of new Set(due)) if (!known.has(name)) this.add('missing', [name]);
    this.add('capture', due);
  }

  addPassages(passages: readonly Passage[], steps: readonly FitStep[]): void {
    const groups = passages.map(({ perhaps }) => perhaps.toSorted().join('\n'));
    this.add(
      'edge',
      passages.flatMap(({ surely }) => surely),
    );
    this.add('group', groups.filter(Boolean));
    const walk = steps.map(({ node, at, via }) => ({ node, at, via }));
    if (walk.length <= longestPath) this.add('path', [JSON.stringify(walk)]);
  }

  report(): Omit<Replay, 'calls' | 'diagnostics'> {
    const { order = [], leaving = [], globals = [], workflow } = this.graph ?? {};
    const entries = globals.map((to) => ({ to }));
    const edges = [...order.flatMap((node) => leaving[node]!), ...entries].map((step) => {
      const { id: to, at: there } = workflow!.nodes[step.to]!;
      if (!('at' in step)) return { at: there, from: null, to, calls: this.of('edge', there) };
      const { at, from } = step;
      return { at, from: workflow!.nodes[from]!.id, to, calls: this.of('edge', at) };
    });
    const { places = [], assistants = [] } = this.squad ?? {};
    const handoffs = places.flatMap(({ moves }) =>
      moves.flatMap(({ handoff: by, to: place }) => {
        if (by === null) return [];
        const called = (member: number) => assistants[member]!.member.called;
        const [from, to] = [called(by.member), called(places[place]!.member)];
        const names = carriedBy(by);
        const empty = names.length === 0 ? 0 : this.of('empty', by.at);
        const carried = Object.fromEntries(names.map((it) => [it, this.of(by.at, it)]));
        const [calls, full] = [this.of('handoff', by.at), this.of('full', by.at)];
        return { at: by.at, from, to, calls, seen: empty + full, empty, carried };
      }),
    );
    const length = Math.max(0, ...this.list('length', (it) => Number(it) + 1));
    return {
      edges,
      groups: this.list('group', (key, calls) => ({ at: key.split('\n'), calls })),
      handoffs: [...new Map(handoffs.map((it) => [it.at, it])).values()],
      handoffsPerCall: Array.from({ length }, (_, it) => this.of('length', String(it))),
      variables: this.list('capture', (name, calls) => {
        return { name, calls, missing: this.of('missing', name) };
      }),
      misfits: this.list('misfit', (key, calls) => {
        return { ...JSON.parse(key), calls, ids: [...(this.ids.get(key) ?? [])] };
      }),
      paths: this.list('path', (key, calls) => ({ walk: JSON.parse(key), calls })),
    };
  }
}

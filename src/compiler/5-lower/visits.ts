/**
 * What can be the latest word on a variable where a visit of an assistant is left.
 *
 * In: a region, and where in it a variable is set. Out: for the nodes that are asked for, the captures
 * that a walk inside can leave with, and whether it can leave with a tool's response, or without
 * having set the variable. The steps of a walk inside are the inner edges and those back to the
 * assistant's own global nodes, which every node can take; a tool that the condition of such a node
 * needs responds on the way. A node sets a variable by its captures first and by its tools' responses
 * after.
 *
 * Floods end where the variable is set, and stay between there and what is asked for.
 */
import { type Adjacency, flood, reverse } from '../../graph/walks.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Region } from '../ir/region-map.js';
import type { CaptureSite, Variable } from '../ir/variables.js';
import type { WorkflowNode } from '../ir/workflow.js';

/** Where a variable is set in a region, in walk order. */
export interface Settings {
  readonly name: string;
  readonly captures: readonly CaptureSite[];
  readonly responses: readonly NodeIndex[];
}

/** What can be the latest word. */
export interface LatestWord {
  readonly captures: readonly CaptureSite[];
  /** Whether it can be a tool's response of this visit. */
  readonly responds: boolean;
  /** Whether it can be nothing of this visit. */
  readonly misses: boolean;
}

export interface Visits {
  /** On leaving each of these nodes. */
  readonly onLeaving: (
    settings: Settings,
    nodes: ReadonlySet<NodeIndex>,
  ) => ReadonlyMap<NodeIndex, LatestWord>;
  /** Wherever the assistant is left. */
  readonly anywhere: (settings: Settings) => LatestWord;
}

/**
 * Inside, nodes are numbered: 0 is where a visit begins, then come the nodes of the region, then the
 * hub of the steps to its global nodes, then for each of those the way to it.
 */
export function createVisits(nodes: readonly WorkflowNode[], region: Region): Visits {
  const numbers = new Map(region.nodes.map((node, at) => [node, at + 1]));
  const hub = region.nodes.length + 1;
  const callOf = (global: NodeIndex) => nodes[global]!.global?.condition?.call ?? null;
  let inside: { readonly next: Adjacency; readonly before: Adjacency } | null = null;
  return { onLeaving, anywhere };

  function onLeaving(settings: Settings, asked: ReadonlySet<NodeIndex>) {
    inside ??= openRegion();
    const { next, before } = inside;
    const responding = [...settings.responses.map(numberOf), ...listGiven(settings)];
    const setting = new Set([
      ...settings.captures.map(({ node }) => numberOf(node)),
      ...responding,
    ]);
    const isOpen = (number: number) => !setting.has(number);
    const between = flood(
      [...asked].map(numberOf),
      (number) => before[number]!.filter(isOpen),
      (number) => setting.has(number),
    );
    const walkOn = (from: readonly number[]) =>
      flood(from, (number) => next[number]!.filter((it) => isOpen(it) && between.has(it)));
    const captured = lastCaptures(settings).map((site) => {
      return { site, leaving: walkOn([numberOf(site.node)]) };
    });
    const responded = walkOn(responding);
    const missed = walkOn([0]);
    const wordAt = (node: NodeIndex): LatestWord => {
      const number = numberOf(node);
      const reaching = captured.filter(({ leaving }) => leaving.has(number));
      return {
        captures: reaching.map(({ site }) => site),
        responds: responded.has(number),
        misses: missed.has(number),
      };
    };
    return new Map([...asked].map((node) => [node, wordAt(node)]));
  }

  function numberOf(node: NodeIndex): number {
    return numbers.get(node)!;
  }

  /** The ways to global nodes on which a tool sets the variable. */
  function listGiven({ name }: Settings): readonly number[] {
    return region.globals.flatMap((global, at) =>
      callOf(global)?.variables.includes(name) === true ? [hub + 1 + at] : [],
    );
  }

  function anywhere(settings: Settings): LatestWord {
    const { captures, responses } = settings;
    const setting = new Set([...captures.map(({ node }) => node), ...responses]);
    const given = listGiven(settings).map((number) => region.globals[number - hub - 1]!);
    const responds = responses.length > 0 || given.some((global) => !setting.has(global));
    return { captures: lastCaptures(settings), responds, misses: true };
  }

  function openRegion() {
    const next: number[][] = Array.from({ length: hub + 1 + region.globals.length }, () => []);
    next[0] = region.entries.map(numberOf);
    for (const { kind, from, to } of region.steps) {
      if (kind === 'inner') next[numberOf(from)]!.push(numberOf(to));
    }
    for (const [at, global] of region.globals.entries()) {
      next[hub]!.push(hub + 1 + at);
      next[hub + 1 + at]!.push(numberOf(global));
    }
    if (region.globals.length > 0) for (const number of numbers.values()) next[number]!.push(hub);
    return { next, before: reverse(next) };
  }
}

/** The captures that are the latest word of their nodes. */
function lastCaptures({ captures, responses }: Settings): readonly CaptureSite[] {
  const responding = new Set(responses);
  const last = new Map(captures.map((site) => [site.node, site]));
  return [...last.values()].filter(({ node }) => !responding.has(node));
}

/** Where the region sets a variable. */
export function settingsIn({ nodes }: Region, { name, captures, responses }: Variable): Settings {
  const own = new Set(nodes);
  return {
    name,
    captures: captures.filter(({ node }) => own.has(node)),
    responses: responses.filter((node) => own.has(node)),
  };
}

/**
 * How each read of an assistant gets its value (section 4).
 *
 * In: spots with their flows. Out: every read with its kind. Whether a value is rendered or told is
 * decided by what is known of the conversation where it is read.
 */
import { type Told, toldAt } from '../../call/facts.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { outputOf, type ReadKind } from '../../compiler/ir/tokens.js';
import { canFill, payloadOf } from '../../compiler/ir/tool.js';
import { isAlias } from '../../compiler/ir/variables.js';
import type { Condition, Text, Use } from '../../compiler/ir/workflow.js';
import { groupBy } from '../../graph/lists.js';
import { isExpression, memo, type SourceGraph } from '../expected/source.js';
import type { Flows, Known, Spot } from './crossing.js';

export interface Read {
  readonly spot: Spot;
  /** The node that is left or entered; null where the read can be at any node. */
  readonly node: NodeIndex | null;
  readonly text: Text | Condition;
  readonly use: Use;
  readonly kind: ReadKind;
  /** The tool that reads it when it runs. */
  readonly tool: Told['tool'];
  /** The nodes of its assistant that set the variable. */
  readonly from: readonly NodeIndex[];
}

/** In the order of the spots; what is read at any node is listed once for each assistant. */
export function listReads(graph: SourceGraph, spots: readonly Spot[], flows: Flows): Read[] {
  const byMember = groupBy(spots, ({ member }) => member);
  const settersIn = memo((member: number) => settersOf(byMember.get(member)!));
  const readsOf = (
    spot: Spot,
    node: NodeIndex | null,
    { text, tool }: { readonly text: Text | Condition; readonly tool: Told | null },
    knownOf: (name: string) => Known,
  ) =>
    text.uses.map((use): Read => {
      const { sites = [], from = [] } = settersIn(spot.member).get(use.name) ?? {};
      const isFound = sites.some((site) => !isAlias(site));
      const kind = kindOf(text, use, tool, knownOf(use.name), isFound);
      return { spot, node, text, use, kind, tool: tool?.tool ?? null, from };
    });
  const asTold = (told: Told) => {
    const isRun = told.tool !== null && told.moment !== 'entry' && told.moment !== 'start';
    return { text: told.text, tool: isRun ? told : null };
  };
  return [...byMember].flatMap(([member, own]) => {
    const anywhere = (name: string): Known => {
      const { sites = [], responding = [] } = settersIn(member).get(name) ?? {};
      const captures = sites.filter(({ node }) => !responding.includes(node));
      return { captures: new Set(captures), responses: new Set(responding) };
    };
    const [first] = own;
    const { globalPrompt } = graph.workflow;
    const shared = globalPrompt === null ? [] : [{ text: globalPrompt, tool: null }];
    // A single node is not entered from itself.
    const isEntered = (node: NodeIndex) => own.some(({ facts }) => facts.node.index !== node);
    const entered = graph.globalNodes.filter(({ index }) => isEntered(index));
    return [
      ...shared.flatMap((it) => readsOf(first!, null, it, anywhere)),
      ...own.flatMap((spot) => {
        const { node, onEntry } = spot.facts;
        const entering = (name: string) => flows.onEntry(name, spot.index);
        const leaving = (name: string) => flows.onLeaving(name, spot.index);
        const edges = graph.leaving[node.index]!;
        const conditions = edges.flatMap(({ condition }) => condition ?? []);
        const ends = [...new Set(edges.map(({ to }) => to))].map(graph.nodeAt);
        const exits = ends.filter(({ role }) => role === 'exit').flatMap(toldAt);
        return [
          ...onEntry.flatMap((it) => readsOf(spot, node.index, asTold(it), entering)),
          ...exits.flatMap((it) => readsOf(spot, node.index, asTold(it), leaving)),
          ...conditions.flatMap((text) => readsOf(spot, node.index, { text, tool: null }, leaving)),
        ];
      }),
      ...entered.flatMap((node) => {
        const said = node.role === 'exit' ? toldAt(node).map(asTold) : [];
        const condition = node.global!.condition;
        const all = condition === null ? said : [...said, { text: condition, tool: null }];
        return all.flatMap((it) => readsOf(first!, null, it, anywhere));
      }),
    ];
  });
}

/** By variable, where the spots set it. */
function settersOf(spots: readonly Spot[]) {
  const rows = spots.flatMap(({ facts: { node, captures, responds, offers } }) => [
    ...captures.map((capture) => ({ name: capture.name, node: node.index, capture })),
    ...[...responds, ...offers].map((name) => ({ name, node: node.index, capture: null })),
  ]);
  const byName = groupBy(rows, ({ name }) => name);
  return new Map(
    Array.from(byName, ([name, all]) => {
      const sites = all.flatMap(({ node, capture }) => (capture ? [{ node, capture }] : []));
      const responding = all.flatMap(({ node, capture }) => (capture === null ? [node] : []));
      return [name, { sites, responding, from: [...sites.map((it) => it.node), ...responding] }];
    }),
  );
}

function kindOf(
  text: Text | Condition,
  use: Use,
  tool: Told | null,
  { captures, responses }: Known,
  isFound: boolean,
): ReadKind {
  if (captures.size + responses.size === 0) return 'rendered';
  const isOutput = outputOf(text.value, use) !== null;
  if (tool === null) return isOutput || isExpression(text) ? 'told' : 'early';
  if (captures.size === 0) return 'response';
  const canWait = isOutput && isFound && tool.moment === 'run';
  return canWait && canFill(payloadOf(tool.tool!), use.name) ? 'filled' : 'early';
}

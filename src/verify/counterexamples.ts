/**
 * Counterexamples: for everything that is wrong, a call that shows it.
 *
 * What the walk through both documents found brings its own call. A fact of the checklist is shown
 * by the shortest call to the assistant, and where it is about a node of it, to that node.
 */
import type { JsonPointer, NodeIndex } from '../compiler/ir/ids.js';
import type { Evidence } from '../compiler/ir/result.js';
import type { Walk } from '../compiler/ir/verification.js';
import { callTo } from './call.js';
import type { Comparison } from './comparison.js';
import type { Judgement } from './item.js';
import { listLostVariables } from './lost-variables.js';
import type { Visit } from './walks/visit.js';

export function listCounterexamples(
  comparison: Comparison,
  judgements: readonly Judgement[],
): Walk[] {
  const { graph, exploration } = comparison;
  const different = exploration.differences.flatMap(
    ({ visit, way, text, source, output }): Walk[] => {
      const at = visit ?? firstVisit(comparison, output);
      if (at === null) return [];
      const words = typeof text === 'string' ? text : text();
      return [
        { steps: callTo(graph, at, visit === null ? null : way), text: words, source, output },
      ];
    },
  );
  const shown = [...different, ...listLostVariables(comparison)];
  const failing = judgements.flatMap(({ evidence }) => evidence.filter(({ holds }) => !holds));
  const known = new Set(shown.map(keyOf));
  const facts = failing
    .flatMap((fact) => showFact(comparison, fact))
    .filter((walk) => !known.has(keyOf(walk)));
  return [...shown, ...facts].sort((one, other) => one.steps.length - other.steps.length);
}

/** The walk may have found the same fault as an item of the checklist. */
function keyOf({ source: [at = ''], output }: Walk): string {
  return `${at} ${output.map((it) => memberAt(it) ?? '').join(' ')}`;
}

function showFact(comparison: Comparison, { text, source, output }: Evidence): Walk[] {
  const visit = visitOf(comparison, source, output);
  return visit === null
    ? []
    : [{ steps: callTo(comparison.graph, visit, null), text, source, output }];
}

/** The first visit of the node that the fact is about, in the assistant that it is about. */
function visitOf(
  comparison: Comparison,
  source: readonly JsonPointer[],
  output: readonly JsonPointer[],
): Visit | null {
  const { exploration, owners } = comparison;
  const members = new Set(output.flatMap((at) => memberAt(at) ?? []));
  const nodes = new Set(source.flatMap((at) => nodeAt(comparison, at) ?? []).map(owners.standsFor));
  const { visits } = exploration;
  const isThere = ({ member }: Visit) => members.size === 0 || members.has(member);
  const isNode = ({ node }: Visit) => nodes.has(node);
  if (members.size === 0 && nodes.size === 0) return null;
  return visits.find((it) => isThere(it) && isNode(it)) ?? visits.find(isThere) ?? null;
}

function firstVisit({ exploration }: Comparison, output: readonly JsonPointer[]): Visit | null {
  const members = new Set(output.flatMap((at) => memberAt(at) ?? []));
  return exploration.visits.find(({ member }) => members.has(member)) ?? null;
}

function memberAt(at: JsonPointer): number | null {
  const found = /^(?:\/squad)?\/members\/(\d+)(?:\/|$)/.exec(at);
  return found === null ? null : Number(found[1]);
}

/** The node that a place of the source is in, or that the edge there leaves. */
function nodeAt({ graph }: Comparison, at: JsonPointer): NodeIndex | null {
  const found = /^\/(nodes|edges)\/(\d+)(?:\/|$)/.exec(at);
  if (found === null) return null;
  const index = Number(found[2]);
  if (found[1] === 'edges') return graph.workflow.edges[index]?.from ?? null;
  return graph.workflow.nodes[index]?.index ?? null;
}

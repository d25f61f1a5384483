/**
 * Variables that may cross: those that some member captures which can be left.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Capture } from '../../compiler/ir/workflow.js';
import type { Owners } from '../owners.js';
import type { Passage } from '../passages.js';
import { append } from './lists.js';
import type { CaptureSite, Variable } from './sites.js';

/** The ways out of one member. */
export interface Ways {
  readonly member: number;
  /** Passages along edges. */
  readonly edges: readonly Passage[];
  /** Whether it can be left for a global node, from anywhere. */
  readonly isLeftAnywhere: boolean;
}

export interface Candidate {
  readonly variable: Variable;
  /** For each member that can be left, its captures that no tool's response follows at once. */
  readonly homes: ReadonlyMap<Ways, readonly CaptureSite[]>;
  /** What is the latest word at the nodes that set the variable; null where it is a response. */
  readonly latest: ReadonlyMap<NodeIndex, Capture | null>;
}

export function groupWays(passages: readonly Passage[]): ReadonlyMap<number, Ways> {
  const ways = new Map<number, { member: number; edges: Passage[]; isLeftAnywhere: boolean }>();
  for (const passage of passages) {
    const { member } = passage;
    const own = ways.get(member);
    const isAnywhere = passage.edge === null;
    if (own === undefined) {
      const edges = isAnywhere ? [] : [passage];
      ways.set(member, { member, edges, isLeftAnywhere: isAnywhere });
    } else if (isAnywhere) own.isLeftAnywhere = true;
    else own.edges.push(passage);
  }
  return ways;
}

export function listCandidates(
  variables: ReadonlyMap<string, Variable>,
  owners: Pick<Owners, 'of'>,
  ways: ReadonlyMap<number, Ways>,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const variable of variables.values()) {
    if (variable.captures.length === 0 || !isRead(variable)) continue;
    const latest = listLatest(variable);
    const homes = new Map<Ways, CaptureSite[]>();
    for (const site of variable.captures) {
      if (latest.get(site.node) === null) continue;
      for (const member of owners.of(site.node)) {
        const way = ways.get(member);
        if (way !== undefined) append(homes, way, site);
      }
    }
    if (homes.size > 0) candidates.push({ variable, homes, latest });
  }
  return candidates;
}

function isRead({
  entryReads,
  exitReads,
  globalReads,
  inGlobalPrompt,
  handedOn,
}: Variable): boolean {
  if (inGlobalPrompt || handedOn.length > 0) return true;
  return entryReads.length + exitReads.length + globalReads.length > 0;
}

function listLatest({ captures, responses }: Variable): Map<NodeIndex, Capture | null> {
  const latest = new Map<NodeIndex, Capture | null>();
  for (const { node, capture } of captures) latest.set(node, capture);
  for (const node of responses) latest.set(node, null);
  return latest;
}

/**
 * Variables that may cross: those that some member captures which can be left.
 */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import type { Capture } from '../../compiler/ir/workflow.js';
import type { Owners } from '../owners.js';
import type { Passage } from '../passages.js';
import { append, put } from './lists.js';
import type { CaptureSite, Variable } from './sites.js';

/** The ways out of one member. */
export interface Ways {
  readonly member: number;
  /** Passages along edges. */
  readonly edges: readonly Passage[];
  /** Whether it can be left for a global node, from anywhere. */
  readonly isLeftAnywhere: boolean;
}

/** A member that can be left, with its captures that no tool's response follows at once. */
export interface Home {
  readonly ways: Ways;
  readonly sites: readonly CaptureSite[];
}

export interface Candidate {
  readonly variable: Variable;
  readonly homes: readonly Home[];
  /** What is the latest word at the nodes that set it; null where that is the only capture. */
  readonly latest: Latest | null;
}

/** By node; null where the latest word is a response. */
export type Latest = ReadonlyMap<NodeIndex, Capture | null>;

/** What is the latest word at the node; nothing where it does not set the variable. */
export function latestAt(
  { variable, latest }: Candidate,
  node: NodeIndex,
): Capture | null | undefined {
  if (latest !== null) return latest.get(node);
  const { node: home, capture } = variable.captures[0]!;
  return node === home ? capture : undefined;
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
  owners: Pick<Owners, 'of' | 'soleOwner'>,
  ways: ReadonlyMap<number, Ways>,
): Candidate[] {
  const candidates: Candidate[] = [];
  for (const variable of variables.values()) {
    if (variable.captures.length === 0 || !isRead(variable)) continue;
    const isOnly = variable.captures.length === 1 && variable.responses.length === 0;
    const latest = isOnly ? null : listLatest(variable);
    const homes = listHomes(variable, latest, owners, ways);
    if (homes.length > 0) candidates.push({ variable, homes, latest });
  }
  return candidates;
}

function listHomes(
  { captures }: Variable,
  latest: Latest | null,
  owners: Pick<Owners, 'of' | 'soleOwner'>,
  ways: ReadonlyMap<number, Ways>,
): readonly Home[] {
  if (latest === null) {
    // Most variables are captured once, and by one member.
    const sole = owners.soleOwner(captures[0]!.node);
    if (sole !== null) {
      const own = ways.get(sole);
      return own === undefined ? nowhere : [{ ways: own, sites: captures }];
    }
    let homes: Home[] | null = null;
    for (const member of owners.of(captures[0]!.node)) {
      const way = ways.get(member);
      if (way !== undefined) homes = put(homes, { ways: way, sites: captures });
    }
    return homes ?? nowhere;
  }
  const homes = new Map<Ways, CaptureSite[]>();
  for (const site of captures) {
    if (latest.get(site.node) === null) continue;
    for (const member of owners.of(site.node)) {
      const way = ways.get(member);
      if (way !== undefined) append(homes, way, site);
    }
  }
  return Array.from(homes, ([way, sites]) => ({ ways: way, sites }));
}

const nowhere: readonly Home[] = [];

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

export function listLatest({ captures, responses }: Variable): Latest {
  const latest = new Map<NodeIndex, Capture | null>();
  for (const { node, capture } of captures) latest.set(node, capture);
  for (const node of responses) latest.set(node, null);
  return latest;
}

/**
 * The source as it is to be migrated: with the answers that change it, and grouped.
 *
 * In: the workflow as it was read, and the options. Out: what a call can reach after the answers,
 * the grouping that both come to, and the questions that nobody has answered. The reader asks
 * and applies (1-read); what there is to ask about variables and stages is found here anew.
 */

import { applyDecisions } from '../compiler/1-read/apply-answers.js';
import {
  askAboutAuth,
  askAboutNodes,
  askAboutStart,
  decidedStart,
} from '../compiler/1-read/ask-about-nodes.js';
import { type Dialogue, openDialogue } from '../compiler/1-read/decide.js';
import { findStart } from '../compiler/1-read/start.js';
import { listSupplied } from '../compiler/1-read/supplied.js';
import { bindOperations } from '../compiler/1-read/tools/bind-operations.js';
import { settleOperations } from '../compiler/1-read/tools/settle-operations.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Decide, Decision } from '../compiler/ir/inquiry.js';
import type { Settled } from '../compiler/ir/options.js';
import type { Workflow } from '../compiler/ir/workflow.js';
import { askAboutCritical, askAboutUnset } from './ask.js';
import { type IsDemanded, readDemand } from './demand.js';
import { type Grouping, groupNodes } from './grouping/group-nodes.js';
import { readSource, type SourceGraph } from './source-graph.js';
import { listVariables, type Variable } from './variables/sites.js';
import { findUnsetReads } from './variables/unset-reads.js';

/** By name. */
export type Variables = ReadonlyMap<string, Variable>;

export interface Settlement {
  readonly graph: SourceGraph;
  readonly variables: Variables;
  readonly grouping: Grouping;
  /** Whether a variable crosses as a required argument of the handoffs. */
  readonly isDemanded: IsDemanded;
  readonly dialogue: Dialogue;
}

/** Null where a call cannot even begin: the start is an exit. */
export function settle(workflow: Workflow, options: Settled): Settlement | null {
  const dialogue = openDialogue(options.answers);
  const { decide } = dialogue;
  const start = chooseStart(workflow, options, dialogue);
  if (start === null) return null;
  const read = readSource(bindOperations(workflow, options), start);
  const called = settleCalls(read, options, decide);
  const { workflow: complete, order } = called;
  const auth = decide(askAboutAuth(complete, order, options.target));
  const asked = applyTo(called, auth);

  const supplied = new Set([...options.dynamicVariables, ...listSupplied(auth)]);
  const variables = listVariables(asked);
  for (const { name, isOffered } of variables.values()) if (isOffered) supplied.add(name);
  const unset = findUnsetReads(asked, variables, supplied);
  const defined = applyTo(asked, decide(askAboutUnset(asked, unset, options)));
  const known = defined === asked ? variables : listVariables(defined);

  const grouping = groupNodes(defined, options, decide);
  const critical = decide(askAboutCritical(defined, known, grouping, options));
  const graph = applyTo(defined, critical);
  return {
    graph,
    variables: graph === defined ? known : listVariables(graph),
    grouping,
    isDemanded: readDemand(options, critical),
    dialogue,
  };
}

/** What requests call, as far as the answers say it. */
function settleCalls(read: SourceGraph, options: Settled, decide: Decide): SourceGraph {
  const called = applyTo(read, decide(askAboutNodes(scopeOf(read, options))));
  const { workflow, order } = called;
  const calling = settleOperations(workflow, order, options, decide);
  return calling === workflow ? called : readSource(calling, called.start);
}

/** The source with what was decided; the same one where that leaves it as it is. */
function applyTo(graph: SourceGraph, decisions: readonly Decision[]): SourceGraph {
  const workflow = applyDecisions(graph.workflow, decisions);
  return workflow === graph.workflow ? graph : readSource(workflow, graph.start);
}

function chooseStart(
  workflow: Workflow,
  { target }: Settled,
  { decide }: Dialogue,
): NodeIndex | null {
  const start = findStart(workflow);
  if (start.kind === 'found') return start.node;
  if (start.kind === 'exit') return null;
  const [decision] = decide([askAboutStart(workflow, start, target)]);
  return decidedStart(workflow, decision!);
}

/** What the reader needs to know to ask. */
function scopeOf(graph: SourceGraph, { target, tools }: Settled) {
  const edgesOf = (node: NodeIndex) => graph.leaving(node).map(({ index }) => index);
  return { workflow: graph.workflow, order: graph.order, edgesOf, target, tools };
}

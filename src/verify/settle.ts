/**
 * The source as it is to be migrated: with the answers that change it, and grouped.
 *
 * In: the workflow as it was read, and the options. Out: what a call can reach after the answers,
 * the grouping that section 3 wants, and the questions that nobody has answered. The reader asks
 * and applies (1-parse); what there is to ask about variables and stages is found here anew.
 */

import { applyDecisions } from '../compiler/1-parse/apply-answers.js';
import {
  askAboutAuth,
  askAboutNodes,
  askAboutStart,
  decidedStart,
} from '../compiler/1-parse/ask-about-nodes.js';
import { type Dialogue, openDialogue } from '../compiler/1-parse/decide.js';
import { findStart } from '../compiler/1-parse/start.js';
import { listSupplied } from '../compiler/1-parse/supplied.js';
import type { NodeIndex } from '../compiler/ir/ids.js';
import type { Decision } from '../compiler/ir/inquiry.js';
import type { Settled } from '../compiler/ir/options.js';
import type { Workflow } from '../compiler/ir/workflow.js';
import { askAboutCritical, askAboutUnset } from './ask.js';
import { type Grouping, groupNodes } from './grouping/group-nodes.js';
import { readSource, type SourceGraph } from './source-graph.js';
import { listVariables } from './variables/sites.js';
import { findUnsetReads } from './variables/unset-reads.js';

export interface Settlement {
  readonly graph: SourceGraph;
  readonly grouping: Grouping;
  /** Variables that answers made required arguments of the handoffs. */
  readonly demanded: ReadonlySet<string>;
  readonly dialogue: Dialogue;
}

/** Null where a call cannot even begin: the start is an exit. */
export function settle(workflow: Workflow, options: Settled): Settlement | null {
  const dialogue = openDialogue(options.answers);
  const { decide } = dialogue;
  const start = chooseStart(workflow, options, dialogue);
  if (start === null) return null;
  const called = applyDecisions(workflow, decide(askAboutNodes(scopeOf(workflow, start, options))));
  const { order } = scopeOf(called, start, options);
  const auth = decide(askAboutAuth(called, order, options.target));
  const asked = readSource(applyDecisions(called, auth), start);

  const supplied = new Set([...options.dynamicVariables, ...listSupplied(auth)]);
  const unset = findUnsetReads(asked, listVariables(asked), supplied);
  const reads = decide(askAboutUnset(asked, unset, options));
  const defined =
    reads.length === 0 ? asked : readSource(applyDecisions(asked.workflow, reads), start);

  const grouping = groupNodes(defined, options, decide);
  const critical = decide(askAboutCritical(defined, grouping, options));
  const graph =
    critical.length === 0 ? defined : readSource(applyDecisions(defined.workflow, critical), start);
  return { graph, grouping, demanded: listDemanded(critical), dialogue };
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
function scopeOf(workflow: Workflow, start: NodeIndex, { target }: Settled) {
  const graph = readSource(workflow, start);
  const edgesOf = (node: NodeIndex) => graph.leaving(node).map(({ index }) => index);
  return { workflow, order: [...graph.reachable], edgesOf, target };
}

function listDemanded(decisions: readonly Decision[]): ReadonlySet<string> {
  const names = decisions.flatMap(({ choice, inquiry: { subject } }) =>
    choice === 'argument' && subject.of === 'variable' ? [subject.name] : [],
  );
  return new Set(names);
}

/**
 * What the phases made → what the caller gets.
 */
import { checkDraft, verifyParsed } from '../verify/verify.js';
import type { Dialogue } from './2-ask/answers.js';
import type { Assembled } from './6-emit/assemble.js';
import { writeLedger } from './6-emit/ledger.js';
import type { FlowGraph } from './ir/flow-graph.js';
import type { Decision } from './ir/inquiry.js';
import type { Settled } from './ir/options.js';
import type { RegionMap } from './ir/region-map.js';
import {
  type ChecklistItem,
  type CompileResult,
  type Diagnostic,
  emptyResult,
  type Stats,
  type Verification,
} from './ir/result.js';
import type { SquadIr } from './ir/squad-ir.js';
import type { Workflow } from './ir/workflow.js';

/** Everything that one run of the phases made. */
export interface Compilation {
  /** The workflow as it was read, before any answer. */
  readonly source: Workflow;
  readonly options: Settled;
  readonly dialogue: Dialogue;
  readonly diagnostics: readonly Diagnostic[];
  /** What was decided about the grouping. */
  readonly decisions: readonly Decision[];
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly squad: SquadIr;
  readonly assembled: Assembled;
}

export function invalidResult(diagnostics: readonly Diagnostic[]): CompileResult {
  return { ...emptyResult, diagnostics };
}

/** Whether nothing speaks against the squad, and nothing is left to ask. */
export function isComplete(compilation: Compilation): boolean {
  return statusOf(compilation) === 'complete';
}

/** Asks the verifier, which gets the source, the answers and the document, and nothing else. */
export function verifyCompilation({ source, assembled, options }: Compilation): Verification {
  return verifyParsed(source, assembled.document, options);
}

export function toResult(
  compilation: Compilation,
  verification: Verification | null = null,
): CompileResult {
  const { dialogue, diagnostics, assembled } = compilation;
  const status = statusOf(compilation);
  const isInvalid = status === 'invalid';
  return {
    status,
    output: status === 'complete' ? assembled.document : null,
    draft: status === 'needs-answers' ? assembled.document : null,
    questions: dialogue.open,
    diagnostics,
    checklist: checklistOf(compilation, status, verification),
    sourceMap: isInvalid ? [] : assembled.sourceMap,
    ledger: isInvalid ? [] : writeLedger({ ...compilation, open: placesOf(dialogue) }),
    stats: countThings(compilation),
  };
}

function checklistOf(
  compilation: Compilation,
  status: CompileResult['status'],
  verification: Verification | null,
): readonly ChecklistItem[] {
  if (status === 'invalid') return [];
  if (status === 'needs-answers') return check(compilation);
  return (verification ?? verifyCompilation(compilation)).checklist;
}

function statusOf({ diagnostics, dialogue }: Compilation): CompileResult['status'] {
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'invalid';
  return dialogue.open.length > 0 ? 'needs-answers' : 'complete';
}

function placesOf({ open }: Dialogue): ReadonlySet<string> {
  return new Set(open.flatMap(({ at }) => at));
}

/** A draft is checked as if its assumptions were answers; the questions stay open. */
function check({ source, assembled, options, dialogue }: Compilation): readonly ChecklistItem[] {
  return checkDraft(source, assembled.document, options, dialogue);
}

function countThings({ graph, squad, dialogue }: Compilation): Stats {
  const tools = squad.assistants.flatMap((assistant) => assistant.tools);
  const destinations = tools.flatMap((it) => (it.kind === 'handoff' ? it.destinations : []));
  return {
    nodes: graph.workflow.nodes.length,
    edges: graph.workflow.edges.length,
    assistants: squad.assistants.length,
    handoffs: destinations.length,
    extractions: destinations.reduce((sum, { plan }) => sum + plan.length, 0),
    // The platform brings the tool that ends the call.
    tools: tools.filter(({ kind }) => kind !== 'handoff' && kind !== 'end').length,
    questions: dialogue.open.length,
  };
}

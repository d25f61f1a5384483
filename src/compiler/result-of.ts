/**
 * What the phases made → what the caller gets. The source map, the ledger, the checklist and the
 * counts are made when they are first read.
 */
import { checkDraft, verifyParsed } from '../verify/verify.js';
import type { Dialogue } from './1-read/decide.js';
import type { Assembled } from './6-emit/assemble.js';
import { writeLedger } from './6-emit/ledger.js';
import { emptyResult } from './ir/empty-result.js';
import type { FlowGraph } from './ir/flow-graph.js';
import type { Decision } from './ir/inquiry.js';
import { withLazy } from './ir/lazy.js';
import type { Settled } from './ir/options.js';
import type { RegionMap } from './ir/region-map.js';
import type { ChecklistItem, CompileResult, Diagnostic, Stats, ToolBinding } from './ir/result.js';
import type { SquadIr } from './ir/squad-ir.js';
import type { Verification } from './ir/verification.js';
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
  const result = {
    status,
    output: status === 'complete' ? assembled.document : null,
    draft: status === 'needs-answers' ? assembled.document : null,
    questions: dialogue.open,
    diagnostics,
  };
  const views = withLazy(result, {
    checklist: () => checklistOf(compilation, status, verification),
    sourceMap: () => (isInvalid ? [] : assembled.notes().sourceMap),
    ledger: () => (isInvalid ? [] : writeLedger({ ...compilation, open: placesOf(dialogue) })),
    stats: () => countThings(compilation),
  });
  return status === 'complete' ? Object.assign(views, bindingsOf(compilation)) : views;
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

/** What the server of the tools has to know; nothing where no tool is an operation. */
function bindingsOf({ squad }: Compilation): Pick<CompileResult, 'toolBindings'> {
  let bindings: Map<string, ToolBinding> | null = null;
  for (const { tools } of squad.assistants) {
    for (const tool of tools) {
      if (tool.kind === 'function' && tool.binding !== null) {
        bindings ??= new Map();
        bindings.set(tool.name.value, tool.binding);
      }
    }
  }
  return bindings === null ? {} : { toolBindings: Object.fromEntries(bindings) };
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
    tools: tools.filter((it) => it.kind !== 'handoff').length,
    questions: dialogue.open.length,
  };
}

/**
 * What the phases made → what the caller gets. The source map, the ledger and the checklist are
 * written when they are first read.
 */
import { checkMigration } from '../verify/checklist.js';
import type { Dialogue } from './1-parse/decide.js';
import type { Assembled } from './5-assemble/assemble.js';
import { writeLedger } from './5-assemble/ledger.js';
import type { FlowGraph } from './ir/flow-graph.js';
import type { Decision } from './ir/inquiry.js';
import type { Settled } from './ir/options.js';
import type { RegionMap } from './ir/region-map.js';
import type { ChecklistItem, CompileResult, Diagnostic, LedgerEntry, Stats } from './ir/result.js';
import type { SquadIr } from './ir/squad-ir.js';

/** Everything that one run of the phases made. */
export interface Compilation {
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
  return {
    status: 'invalid',
    output: null,
    draft: null,
    questions: [],
    diagnostics,
    checklist: [],
    sourceMap: [],
    ledger: [],
    stats: {
      nodes: 0,
      edges: 0,
      assistants: 0,
      handoffs: 0,
      extractions: 0,
      tools: 0,
      questions: 0,
    },
  };
}

export function toResult(compilation: Compilation): CompileResult {
  const { dialogue, diagnostics, assembled } = compilation;
  const status = statusOf(compilation);
  const ledger = once(() => writeLedger({ ...compilation, open: placesOf(dialogue) }));
  const checklist = once(() => (status === 'invalid' ? [] : check(compilation, ledger())));
  return {
    status,
    output: status === 'complete' ? assembled.document : null,
    draft: status === 'needs-answers' ? assembled.document : null,
    questions: dialogue.open,
    diagnostics,
    get checklist() {
      return checklist();
    },
    sourceMap: status === 'invalid' ? [] : assembled.sourceMap,
    get ledger() {
      return status === 'invalid' ? [] : ledger();
    },
    stats: countThings(compilation),
  };
}

function statusOf({ diagnostics, dialogue }: Compilation): CompileResult['status'] {
  if (diagnostics.some(({ severity }) => severity === 'error')) return 'invalid';
  return dialogue.open.length > 0 ? 'needs-answers' : 'complete';
}

function placesOf({ open }: Dialogue): ReadonlySet<string> {
  return new Set(open.flatMap(({ at }) => at));
}

function check(compilation: Compilation, ledger: readonly LedgerEntry[]): ChecklistItem[] {
  const { graph, assembled, options, decisions } = compilation;
  const waivers = decisions
    .filter(({ choice }) => choice === 'keep-split' || choice === 'group')
    .map(({ inquiry }) => ({ item: 2, question: inquiry.question.id }));
  const { workflow, start } = graph;
  return checkMigration({
    workflow,
    start,
    document: assembled.document,
    ledger,
    options,
    waivers,
  });
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

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

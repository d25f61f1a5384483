/**
 * The compiler: a workflow in, a squad out.
 *
 *     unknown ──1-read──▶ Workflow ──3-analyze──▶ FlowGraph ──4-group──▶ RegionMap
 *                             ▲                                                  │
 *                        answers to                                           5-lower
 *                         questions                                              ▼
 *             document ◀──────────────────6-emit──────────────────────── SquadIr
 *                │
 *             verify: an independent program; gets the workflow, the answers and the document
 *
 * Each phase reads one immutable representation and makes the next. If the source leaves something
 * open, a phase asks, and the answers are applied to the workflow before the next phase.
 */
import { diagnose } from '../diagnostics/diagnose.js';
import { checkDraft, verifyParsed } from '../verify/verify.js';
import { parseWorkflow } from './1-read/parse-workflow.js';
import { type Dialogue, findStaleAnswers, openDialogue } from './2-ask/answers.js';
import { applyDecisions, listSupplied, reportSupplied } from './2-ask/apply-answers.js';
import { askAboutAuth, askAboutNodes, decideEntry } from './2-ask/ask-about-nodes.js';
import { askAboutVariables, warnAboutReads, warnAboutUnread } from './2-ask/ask-about-variables.js';
import { readOptions } from './2-ask/options.js';
import { traceFlow } from './3-analyze/flow.js';
import { computeFlowGraph, warnAboutFlow } from './3-analyze/flow-graph.js';
import { reviewReads } from './3-analyze/reads.js';
import { listVariables, warnAboutVariables } from './3-analyze/variables.js';
import { warnAboutRegions } from './4-group/ask-about-stages.js';
import { partition } from './4-group/partition.js';
import { askAboutEarlyReads, askAboutPlans } from './5-lower/ask-about-plans.js';
import { lower } from './5-lower/lower.js';
import { planSquad } from './5-lower/members.js';
import { type Squad, type SuppliedRead, supplyReads } from './5-lower/supply.js';
import { adviseOn } from './6-emit/advice.js';
import { type Assembled, assemble } from './6-emit/assemble.js';
import { writeLedger } from './6-emit/ledger.js';
import { listReads, reviewDocument } from './6-emit/review.js';
import { VerificationRefuted } from './ir/compiler-bug.js';
import type { FlowGraph } from './ir/flow-graph.js';
import type { NodeIndex } from './ir/ids.js';
import type { Decide } from './ir/inquiry.js';
import type { CompileOptions, Settled } from './ir/options.js';
import type { RegionMap } from './ir/region-map.js';
import { type CompileResult, type Diagnostic, emptyResult } from './ir/result.js';
import { hideInSentences, maskSecrets } from './ir/secrets.js';
import type { SquadIr } from './ir/squad-ir.js';
import { type Workflow, withToolNames } from './ir/workflow.js';
import { targets, usualTarget } from './targets.js';

/**
 * Compiles a workflow into a squad (spec/3).
 *
 * `workflow` is the parsed document, of any shape. The result is `complete` with the squad in
 * `output`, `needs-answers` with the open `questions` and a `draft` for preview, or `invalid` with
 * all errors in `diagnostics`. Pure: no clock, no randomness, no state, no changes to its input.
 * Never throws on bad input; throws `VerificationRefuted`, a bug of squadc itself, if the verifier
 * finds that the squad is not a faithful migration.
 */
export function compile(workflow: unknown, options: CompileOptions = {}): CompileResult {
  const compilation = run(workflow, options);
  if ('status' in compilation) return compilation;
  const { result, verification } = conclude(compilation);
  if (verification?.verdict === 'fails') {
    throw new VerificationRefuted(workflow, options, verification);
  }
  return result;
}

/** Everything that one run of the phases produced. */
export interface Compilation {
  /** The workflow as it was read, before any answer. */
  readonly source: Workflow;
  readonly options: Settled;
  readonly dialogue: Dialogue;
  readonly diagnostics: readonly Diagnostic[];
  readonly graph: FlowGraph;
  readonly map: RegionMap;
  readonly squad: SquadIr;
  /** What each assistant reads, and how. */
  readonly reads: readonly (readonly SuppliedRead[])[];
  readonly assembled: Assembled;
}

/** Runs the phases; stops early at a fault of the input that leaves nothing to compile. */
export function run(input: unknown, given: CompileOptions): Compilation | CompileResult {
  const { workflow: parsed, diagnostics: read } = parseWorkflow(input);
  const { options, diagnostics: faults } = readOptions(given, usualTarget(parsed?.dialect ?? null));
  const found = [...read, ...faults];
  if (parsed === null || faults.some(({ code }) => code === 'api/option')) {
    return fail(found);
  }
  const source = withToolNames(parsed, options);
  const { target } = options;
  const dialogue = openDialogue(options);
  const { decide } = dialogue;
  const { workflow: entered, start } = decideEntry(source, decide);
  const { id, at, role } = start;
  if (role === 'exit') return fail([...found, diagnose('flow/start-is-exit', at, { id })]);
  const settled = settleSource(entered, start.index, options, decide);

  const drafts = new Map<RegionMap, Squad>();
  const grouping = partition(settled.graph, options, decide, (map) => {
    const squad = plan(settled, map, options);
    drafts.set(map, squad);
    return askAboutEarlyReads(squad);
  });
  if (grouping.map === null) {
    return fail([...found, ...settled.diagnostics, ...dialogue.diagnostics, grouping.tooLarge]);
  }
  const { map, decisions } = grouping;

  const drafted = drafts.get(map)!;
  const critical = decide(askAboutPlans(drafted));
  const final = analyzeAgain(settled, applyDecisions(settled.graph.workflow, critical));
  const planned = final === settled ? drafted : plan(final, map, options);
  const { squad, reads, diagnostics: lowered } = lower(planned, [...decisions, ...critical]);
  const assembled = assemble(squad, target);

  const { graph, variables, reviews } = final;
  const diagnostics = [
    ...found,
    ...warnAboutFlow(graph, dialogue.open),
    ...warnAboutVariables(graph, variables),
    ...warnAboutReads(graph, reviews, dialogue.open),
    ...warnAboutUnread(graph, options),
    ...warnAboutRegions(graph, map, decisions),
    ...lowered,
    ...reviewDocument({ assembled, options, graph, map }),
    ...settled.diagnostics,
    ...dialogue.diagnostics,
    ...findStaleAnswers(options.answers, dialogue.asked),
  ];
  const isFinished =
    dialogue.open.length === 0 && diagnostics.every((it) => it.severity !== 'error');
  if (isFinished) diagnostics.push(...adviseOn(assembled, graph, target));
  return { source, options, dialogue, diagnostics, graph, map, squad, reads, assembled };
}

function fail(diagnostics: readonly Diagnostic[]): CompileResult {
  return { ...emptyResult, diagnostics };
}

/** The assistants, what crosses between them, and where their reads get their values. */
function plan(analysis: Analysis, map: RegionMap, options: Settled): Squad {
  const flows = traceFlow(analysis.graph, analysis.variables, map);
  return supplyReads(planSquad(analysis, map, flows, options));
}

/** The graph, its variables, and the reads that need a question or a warning. */
function analyze(graph: FlowGraph, supplied: ReadonlySet<string>) {
  const variables = listVariables(graph);
  return { graph, variables, supplied, reviews: reviewReads(graph, variables, supplied) };
}

type Analysis = ReturnType<typeof analyze>;

/** An answer that changes nothing leaves the workflow the same object. */
function analyzeAgain(known: Analysis, workflow: Workflow, supplied = known.supplied): Analysis {
  const { graph } = known;
  if (workflow === graph.workflow && supplied.size === known.supplied.size) return known;
  return analyze(computeFlowGraph(workflow, graph.start), supplied);
}

/**
 * Applies the answers to the source and analyzes the result. `supplied` are the variables that have
 * a value from the start of the call.
 */
function settleSource(source: Workflow, start: NodeIndex, options: Settled, decide: Decide) {
  const first = computeFlowGraph(source, start);
  const called = applyDecisions(source, decide(askAboutNodes(first)));
  const auth = decide(askAboutAuth(called, first.order));
  const answered = applyDecisions(called, auth);
  const graph = answered === source ? first : computeFlowGraph(answered, start);

  const given = new Set([...options.dynamicVariables, ...listSupplied(auth)]);
  const known = analyze(graph, given);
  const reads = decide(askAboutVariables(graph, known.variables, known.reviews, options));
  const supplied = new Set([...given, ...listSupplied(reads)]);
  return {
    ...analyzeAgain(known, applyDecisions(answered, reads), supplied),
    diagnostics: reportSupplied([...auth, ...reads]),
  };
}

/** The result, and the verifier's judgement where nothing else rejects the squad. */
export function conclude(compilation: Compilation) {
  const { source, options, dialogue, diagnostics, squad, assembled } = compilation;
  const { document } = assembled;
  const isInvalid = diagnostics.some(({ severity }) => severity === 'error');
  const isOpen = dialogue.open.length > 0;
  const status = isInvalid ? 'invalid' : isOpen ? 'needs-answers' : 'complete';
  // The verifier gets the source, the answers and the document, nothing else.
  const verification = status === 'complete' ? verifyParsed(source, document, options) : null;
  // A draft is checked as if its assumptions were answers; the questions stay open.
  const ofDraft = status === 'needs-answers' ? checkDraft(source, document, options, dialogue) : [];
  const open = new Set(dialogue.open.flatMap(({ at }) => at));
  const tools = squad.assistants.flatMap((assistant) => assistant.tools);
  const destinations = tools.flatMap((it) => (it.kind === 'handoff' ? it.destinations : []));
  const plans = destinations.filter(({ plan }) => plan.length > 0).length;
  const secrets = [...source.secrets, ...maskSecrets(options.memberOverrides).texts];
  const told = {
    questions: dialogue.open,
    diagnostics,
    checklist: verification?.checklist ?? ofDraft,
    ledger: isInvalid ? [] : writeLedger({ ...compilation, open }),
  };
  const { ledger, ...others } = hideInSentences(told, secrets);
  const result: CompileResult = {
    status,
    output: status === 'complete' ? document : null,
    draft: status === 'needs-answers' ? document : null,
    ...others,
    reads: isInvalid ? [] : listReads(compilation),
    sourceMap: isInvalid ? [] : assembled.sourceMap,
    ledger,
    stats: {
      nodes: source.nodes.length,
      edges: source.edges.length,
      assistants: squad.assistants.length,
      handoffs: destinations.length,
      extractions: destinations.reduce((sum, { plan }) => sum + plan.length, 0),
      ...(plans > 0 && targets[options.target].isOfPlatform && { plans }),
      // The platform provides the tool that ends the call.
      tools: tools.filter(({ kind }) => kind !== 'handoff' && kind !== 'end').length,
      questions: dialogue.open.length,
    },
  };
  return { result, verification };
}

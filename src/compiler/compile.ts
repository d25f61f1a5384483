/**
 * The compiler: a workflow in, a squad out.
 *
 *     unknown ──1-read──▶ Workflow ──3-analyze──▶ FlowGraph ──4-group──▶ RegionMap
 *                             ▲                                                  │
 *                        answers to                                           5-lower
 *                         questions                                              ▼
 *             document ◀──────────────────6-emit──────────────────────── SquadIr
 *                │
 *             verify: a second program that knows the workflow, the answers and the document
 *
 * Each phase reads one immutable representation and makes the next. Where the source leaves
 * something open, a phase asks; the answers are applied to the workflow before the next phase.
 */
import { diagnose } from '../diagnostics/diagnose.js';
import { checkGivenTools, checkLimits } from './1-read/check-source.js';
import { parseWorkflow } from './1-read/parse-workflow.js';
import { type Dialogue, findStaleAnswers, openDialogue } from './2-ask/answers.js';
import { applyDecisions, listSupplied, reportSupplied } from './2-ask/apply-answers.js';
import {
  askAboutAuth,
  askAboutNodes,
  decidedStart,
  findStart,
  warnAboutRequests,
} from './2-ask/ask-about-nodes.js';
import { askAboutVariables, warnAboutReads } from './2-ask/ask-about-variables.js';
import { readOptions } from './2-ask/options.js';
import { computeFlowGraph } from './3-analyze/flow-graph.js';
import { reviewReads } from './3-analyze/review-reads.js';
import { computeVariableFlow } from './3-analyze/variables.js';
import { warnAboutFlow, warnAboutVariables } from './3-analyze/warn-about-flow.js';
import { warnAboutRegions } from './4-group/ask-about-stages.js';
import { partition } from './4-group/partition.js';
import { warnAboutAliases } from './5-lower/aliases.js';
import { askAboutPlans, warnAboutPlans } from './5-lower/ask-about-plans.js';
import { warnAboutGuards } from './5-lower/guards.js';
import { findTooLarge, lower } from './5-lower/lower.js';
import { computePlans } from './5-lower/plans.js';
import { assemble } from './6-emit/assemble.js';
import { assertFlowGraph, assertRegionMap, assertSquadIr } from './invariants.js';
import { VerificationRefuted } from './ir/compiler-bug.js';
import type { FlowGraph } from './ir/flow-graph.js';
import type { NodeIndex } from './ir/ids.js';
import type { Decide } from './ir/inquiry.js';
import type { CompileOptions, Settled } from './ir/options.js';
import type { CompileResult, Diagnostic } from './ir/result.js';
import type { VariableFlow } from './ir/variables.js';
import type { Workflow } from './ir/workflow.js';
import {
  type Compilation,
  invalidResult,
  isComplete,
  toResult,
  verifyCompilation,
} from './result-of.js';

/**
 * Compiles a workflow into a squad (spec/3).
 *
 * `workflow` is the parsed document, of any shape. The result is `complete` with the squad in
 * `output`, `needs-answers` with the open `questions` and a `draft` for preview, or `invalid` with
 * the errors in `diagnostics`, all of them at once. Pure: no clock, no randomness, nothing kept and
 * nothing changed. Never throws on bad input; throws `VerificationRefuted`, a bug of squadc's own,
 * where the verifier finds that the squad is no faithful migration.
 */
export function compile(workflow: unknown, options: CompileOptions = {}): CompileResult {
  const compilation = run(workflow, options);
  if ('status' in compilation) return compilation;
  const verification = isComplete(compilation) ? verifyCompilation(compilation) : null;
  if (verification?.holds === false) throw new VerificationRefuted(workflow, options, verification);
  return toResult(compilation, verification);
}

/** Runs the phases; a fault of the input that leaves nothing to go on with ends the run early. */
export function run(input: unknown, given: CompileOptions): Compilation | CompileResult {
  const { options, diagnostics: faults } = readOptions(given);
  const { workflow, diagnostics: found } = parseWorkflow(input);
  const diagnostics = [...found, ...faults];
  if (workflow === null || faults.some(({ code }) => code === 'api/option')) {
    return invalidResult(diagnostics);
  }
  const dialogue = openDialogue(options.answers);
  const start = chooseStart(workflow, options, dialogue, diagnostics);
  if (start === null) return invalidResult(diagnostics);
  return translate(workflow, start, options, dialogue, diagnostics);
}

function chooseStart(
  workflow: Workflow,
  { target }: Settled,
  { decide }: Dialogue,
  diagnostics: Diagnostic[],
): NodeIndex | null {
  const start = findStart(workflow, target);
  if (start.kind === 'found') return start.node;
  if (start.kind === 'ambiguous') return decidedStart(workflow, decide([start.inquiry]));
  const { id, at } = workflow.nodes[start.node]!;
  diagnostics.push(diagnose('flow/start-is-exit', at, { id }));
  return null;
}

function translate(
  source: Workflow,
  start: NodeIndex,
  options: Settled,
  dialogue: Dialogue,
  found: readonly Diagnostic[],
): Compilation | CompileResult {
  const { decide } = dialogue;
  const settled = settleSource(source, start, options, decide);
  const { map, decisions } = partition(settled.graph, options, decide);
  const tooLarge = findTooLarge(settled.graph, map);
  if (map === null || tooLarge !== null) {
    const told = [...found, ...settled.diagnostics, ...dialogue.diagnostics];
    return invalidResult(tooLarge === null ? told : [...told, tooLarge]);
  }
  assertRegionMap(settled.graph, map);

  const bestEffort = computePlans(settled.graph, settled.flow, map);
  const critical = decide(askAboutPlans(settled.graph, bestEffort, options));
  const final = analyzeAgain(settled, applyDecisions(settled.graph.workflow, critical));
  const { graph, flow } = final;
  const plans = final === settled ? bestEffort : computePlans(graph, flow, map);

  const { squad, diagnostics: lowered } = lower(graph, map, plans, options, [
    ...decisions,
    ...critical,
  ]);
  const assembled = assemble(assertSquadIr(squad), options.target);
  const diagnostics = [
    ...found,
    ...checkLimits(graph.workflow, graph.order, options.target),
    ...warnAboutRequests(graph.workflow, graph.order),
    ...checkGivenTools(graph.workflow, graph.order, options.target),
    ...warnAboutFlow(graph, dialogue.open),
    ...warnAboutVariables(graph, flow),
    ...warnAboutReads(graph, reviewReads(graph, flow, settled.supplied), dialogue.open),
    ...warnAboutRegions(graph, map),
    ...warnAboutPlans(graph, map, plans, options),
    ...warnAboutAliases(graph, flow, map),
    ...warnAboutGuards(graph, flow, map),
    ...lowered,
    ...settled.diagnostics,
    ...dialogue.diagnostics,
    ...findStaleAnswers(options.answers, dialogue.asked),
  ];
  return { source, options, dialogue, diagnostics, decisions, graph, map, squad, assembled };
}

/** What is known of a workflow as it is by now. */
interface Analysis {
  readonly graph: FlowGraph;
  readonly flow: VariableFlow;
}

function analyze(workflow: Workflow, start: NodeIndex): Analysis {
  const graph = assertFlowGraph(computeFlowGraph(workflow, start));
  return { graph, flow: computeVariableFlow(graph) };
}

/** An answer that changes nothing leaves the workflow the same object. */
function analyzeAgain(known: Analysis, workflow: Workflow): Analysis {
  return workflow === known.graph.workflow ? known : analyze(workflow, known.graph.start);
}

/** The source with everything in it that an answer changes, and what its variables do. */
interface SettledSource extends Analysis {
  /** Variables that are there from the start of the call. */
  readonly supplied: ReadonlySet<string>;
  readonly diagnostics: readonly Diagnostic[];
}

function settleSource(
  source: Workflow,
  start: NodeIndex,
  options: Settled,
  decide: Decide,
): SettledSource {
  const before = computeFlowGraph(source, start);
  const { order } = before;
  const { target } = options;
  const edgesOf = (node: NodeIndex) => before.leaving[node]!.map(({ index }) => index);
  const scope = { workflow: source, order, edgesOf, target };
  const called = applyDecisions(source, decide(askAboutNodes(scope)));
  const auth = decide(askAboutAuth(called, order, target));
  const known = analyze(applyDecisions(called, auth), start);

  const given = withAll(options.dynamicVariables, listSupplied(auth));
  const reviews = reviewReads(known.graph, known.flow, given);
  const reads = decide(askAboutVariables(known.graph, known.flow, reviews, options));
  return {
    supplied: withAll(given, listSupplied(reads)),
    diagnostics: reportSupplied([...auth, ...reads]),
    ...analyzeAgain(known, applyDecisions(known.graph.workflow, reads)),
  };
}

function withAll(known: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  return more.length === 0 ? known : new Set([...known, ...more]);
}

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
import {
  dialogueOf,
  findStaleAnswers,
  listRegroupings,
  reportSupplied,
  warnAboutReturns,
} from '../diagnostics/answers.js';
import { checkDraft, verifyParsed } from '../verify/verify.js';
import { parseWorkflow } from './1-read/parse-workflow.js';
import { answerSource, applyDecisions, decide, decideStages } from './2-ask/ask.js';
import { readOptions, warnAboutUnread } from './2-ask/options.js';
import { ofCycles } from './2-ask/rows/of-stages.js';
import { ofCrossings, ofEndings } from './2-ask/rows/of-variables.js';
import { listLost, traceFlow } from './3-analyze/flow.js';
import { computeFlowGraph, warnAboutFlow } from './3-analyze/flow-graph.js';
import { analyzeReads, warnAboutReads, warnAboutVariables } from './3-analyze/variables.js';
import { listStages, partition } from './4-group/partition.js';
import { createStageGraph } from './4-group/stages.js';
import { reportSquad } from './5-lower/findings.js';
import { lower } from './5-lower/lower.js';
import { planSquad } from './5-lower/members.js';
import { type Squad, supplyReads } from './5-lower/supply.js';
import { adviseOn } from './6-emit/advice.js';
import { assemble } from './6-emit/assemble.js';
import { writeLedger } from './6-emit/ledger.js';
import { listReads, reviewDocument } from './6-emit/review.js';
import { VerificationRefuted } from './ir/compiler-bug.js';
import type { SourceFacts, StageRead } from './ir/inquiry.js';
import type { CompileOptions, Settled } from './ir/options.js';
import type { RegionMap } from './ir/region-map.js';
import { type CompileResult, type Diagnostic, emptyResult } from './ir/result.js';
import { hideInSentences, maskSecrets } from './ir/secrets.js';
import { withToolNames } from './ir/workflow.js';
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

/** Everything that one run of the phases produced; `source` is the workflow before any answer. */
export type Compilation = Exclude<ReturnType<typeof run>, CompileResult>;

/** Runs the phases; stops early at a fault of the input that leaves nothing to compile. */
export function run(input: unknown, given: CompileOptions) {
  const { workflow: parsed, diagnostics: read } = parseWorkflow(input);
  const { options, diagnostics: faults } = readOptions(given, usualTarget(parsed?.dialect ?? null));
  const found = [...read, ...faults];
  if (parsed === null || faults.some(({ code }) => code === 'api/option')) return fail(found);

  const source = withToolNames(parsed, options);
  const answered = answerSource(source, options, computeFlowGraph, analyzeReads);
  if ('code' in answered) return fail([...found, answered]);
  const supplied = reportSupplied(answered.decisions);

  const grouped = group(answered.facts, options);
  if ('tooLarge' in grouped) {
    const { diagnostics } = dialogueOf([...answered.decisions, ...grouped.decisions]);
    return fail([...found, ...supplied, ...diagnostics, grouped.tooLarge]);
  }
  const { map, squad: planned } = grouped;

  const crossing = { ...answered.facts, ...grouped };
  const critical = decide(ofCrossings, crossing, options);
  const { workflow, start } = grouped.graph;
  const changed = applyDecisions(workflow, critical);
  const isSame = changed === workflow;
  const final = isSame
    ? answered.facts
    : analyzeReads(computeFlowGraph(changed, start), answered.facts.supplied);
  const squadToLower = isSame ? planned : plan(final, map, options);
  const ending = decide(ofEndings, { ...crossing, ...final, lost: squadToLower.lost }, options);
  const isReported = ending.some(({ choice }) => choice === 'structured-output');
  const decisions = [...grouped.decisions, ...critical, ...ending];
  const squad = lower(squadToLower, decisions);
  const reads = squadToLower.members.map((member) => member.reads);
  const assembled = assemble(squad, options.target);

  const all = [...answered.decisions, ...decisions];
  const dialogue = dialogueOf(all);
  const { graph, variables, reviews } = final;
  const diagnostics = [
    ...found,
    ...warnAboutFlow(graph, dialogue.open),
    ...warnAboutVariables(graph, variables),
    ...warnAboutReads(graph, reviews, dialogue.open),
    ...warnAboutUnread(graph, options, isReported),
    ...warnAboutReturns(graph.workflow, grouped.returns, decisions),
    ...reportSquad(squadToLower),
    ...reviewDocument({ assembled, options, graph, map }),
    ...supplied,
    ...dialogue.diagnostics,
    ...findStaleAnswers(options, all),
  ];
  const isFinished =
    dialogue.open.length === 0 && diagnostics.every((it) => it.severity !== 'error');
  if (isFinished) diagnostics.push(...adviseOn(assembled, graph, options.target));
  return { source, options, dialogue, diagnostics, graph, map, squad, reads, assembled };
}

/** Groups the nodes, plans the assistants and asks about them, until no answer changes the groups. */
function group(facts: SourceFacts, options: Settled) {
  const stages = createStageGraph(facts.graph);
  const decisions = decide(ofCycles, stages, options);
  for (;;) {
    const map = partition(stages, listRegroupings(decisions), options.boundary);
    if ('code' in map) return { decisions, tooLarge: map };
    const squad = plan(facts, map, options);
    const found = { ...stages, ...listStages(facts.graph, map), ...listCrossings(squad) };
    const fresh = decideStages(found, options, decisions);
    decisions.push(...fresh);
    if (listRegroupings(fresh).length === 0) return { ...found, decisions, map, squad };
  }
}

/** The assistants, what crosses between them, and where their reads get their values. */
function plan(facts: SourceFacts, map: RegionMap, options: Settled): Squad {
  const flows = traceFlow(facts.graph, facts.variables, map);
  const lost = listLost(facts.graph, facts.variables, map, flows);
  return supplyReads(planSquad({ ...facts, lost }, map, flows, options));
}

/** What the assistants read, and what crosses between them, as questions see it. */
function listCrossings({ members, lost }: Squad) {
  const reads = members.flatMap((member, stage) =>
    member.reads.map(({ text, use, kind, place, setters, tool }): StageRead => {
      const read = { variable: use.name, kind, at: text.at, stage, node: place?.node ?? null };
      return { ...read, from: setters, request: tool?.node ?? null };
    }),
  );
  const crossings = members.flatMap((it) => it.handoffs.flatMap((handoff) => handoff.crossings));
  return { reads, crossing: new Set(crossings.map(({ variable }) => variable.name)), lost };
}

function fail(diagnostics: readonly Diagnostic[]): CompileResult {
  return { ...emptyResult, diagnostics };
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

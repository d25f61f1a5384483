/** squadc: a compiler from voice-call workflows to squads of assistants. */
export { compile } from './compiler/compile.js';
export { VerificationRefuted } from './compiler/ir/compiler-bug.js';
export type {
  Answer,
  Answers,
  Boundary,
  CompileOptions,
  ContextEngineeringPlan,
  HandoffTools,
  Pass,
  Target,
} from './compiler/ir/options.js';
export type { Origin } from './compiler/ir/provenance.js';
export type { QuestionKind } from './compiler/ir/question-kind.generated.js';
export type {
  ChecklistItem,
  Choice,
  CompileResult,
  Diagnostic,
  Evidence,
  LedgerEntry,
  LedgerKind,
  Question,
  Read,
  Severity,
  SourceMapEntry,
  Stats,
  Undecided,
  Verdict,
  Verification,
  VerifyOptions,
  Walk,
  WalkStep,
} from './compiler/ir/result.js';
export type { Dialect } from './compiler/ir/workflow.js';
export {
  locate,
  locateAll,
  type PlacedDiagnostic,
  type ReadWorkflow,
  readWorkflow,
  type TextPlace,
} from './compiler/read-workflow.js';
export { type GraphEdge, type GraphNode, toGraph } from './compiler/to-graph.js';
export { codes, type Explanation, explain } from './diagnostics/explain.js';
export { renderDiagnostic, renderQuestion } from './diagnostics/render.js';
export { type Replayer, replay } from './replay/replay.js';
export type { Fit, FitStep, HandoffCount, Misfit, Replay } from './replay/result.js';
export type { Json, JsonObject } from './text/json.js';
export type { JsonPointer } from './text/pointer.js';
export { verify } from './verify/verify.js';

/** What a caller of the compiler may set. */
import type { Json, JsonObject } from './json.js';

export type Target = 'squad' | 'vapi';
/**
 * Where an assistant ends: at branches (spec/3), or also where the tools that it may use differ.
 */
export type Boundary = 'branch' | 'tools';
/**
 * One handoff tool for all ways out of an assistant, one for each, or as the model family likes it.
 */
export type HandoffTools = 'grouped' | 'separate' | 'auto';
/**
 * How variables cross a handoff: extracted by the platform from the conversation, or said by the
 * model.
 */
export type Pass = 'plan' | 'arguments';
/** How much of the conversation crosses with a handoff (spec/3, "Squad (output)"). */
export type ContextEngineeringPlan =
  | { readonly type: 'all' }
  | { readonly type: 'lastNMessages'; readonly maxMessages: number }
  | { readonly type: 'userAndAssistantMessages' | 'previousAssistantMessages' | 'none' };

/** Options of `compile`. Precedence of settings: option, node, workflow, default. */
export interface CompileOptions {
  /** The human's answers to questions of an earlier run. */
  answers?: Answers;
  /**
   * `squad`: the shape of spec/3; `vapi`: the body of the platform's create-squad call. Default:
   * `squad` for a workflow in spec/3's shape, else `vapi`.
   */
  target?: Target;
  /** Model of every assistant; default `{ provider: 'openai', model: 'gpt-4o' }`. */
  model?: { provider: string; model: string };
  /** Settings for all members, for example one voice. */
  memberOverrides?: object;
  /**
   * One tool with several destinations, or one tool each; `auto` goes by model family. Default
   * `grouped` for the target `squad`, `auto` for `vapi`.
   */
  handoffTools?: HandoffTools;
  /**
   * How variables cross a handoff: `plan` (default) has the platform extract them from the
   * conversation, as far as that succeeds; `arguments` (target `vapi`) makes each a required argument
   * of the tool.
   */
  pass?: Pass;
  /** What crosses with a handoff; default `{ type: 'all' }`. */
  context?: ContextEngineeringPlan;
  /** Where assistants are split; default `branch`. */
  boundary?: Boundary;
  /** Node id → assistant name, for the assistant whose first talk node it is. */
  names?: Record<string, string>;
  /** Functions of tools that the source knows by their id only, by that id. */
  toolNames?: Record<string, ToolName>;
  /** Variables that the caller supplies when the call starts. */
  dynamicVariables?: string[];
  /** Variables that must never be missing. */
  criticalVariables?: string[];
}

/** What the platform knows of a tool that it keeps. */
export interface ToolName {
  name: string;
  description?: string;
}

/** The options with every default filled in. */
export interface Settled {
  readonly answers: Answers;
  readonly target: Target;
  readonly model: JsonObject | null;
  readonly memberOverrides: JsonObject;
  readonly handoffTools: HandoffTools;
  readonly pass: Pass;
  readonly context: ContextEngineeringPlan;
  readonly boundary: Boundary;
  readonly names: ReadonlyMap<string, string>;
  readonly toolNames: ReadonlyMap<string, ToolName>;
  readonly dynamicVariables: ReadonlySet<string>;
  readonly criticalVariables: ReadonlySet<string>;
}

/** The kinds of question; the first four situations are those of spec/3. */
export type QuestionKind =
  | 'logical-condition'
  | 'critical-variable'
  | 'cyclic-stages'
  | 'read-too-early'
  | 'global-returns'
  | 'missing-destination'
  | 'missing-endpoint'
  | 'missing-condition'
  | 'missing-auth'
  | 'missing-edges'
  | 'ambiguous-start'
  | 'undefined-variable'
  | 'conflicting-settings';

/** One answer: the key of a choice and, where the choice needs one, its value. */
export interface Answer {
  readonly choice: string;
  readonly value?: Json;
}

/** The human's answers: by question id, and per kind a choice for every question of that kind. */
export interface Answers {
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly policies?: Readonly<Record<string, string>>;
}

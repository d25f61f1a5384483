/** The options of the compiler. */
import type { Json, JsonObject } from '../../text/json.js';

/** `squad`: the shape of the specification; `vapi`: the platform's request body. */
export type Target = 'squad' | 'vapi';
/** Where an assistant ends: at branches (spec/3), or also where the available tools differ. */
export type Boundary = 'branch' | 'tools';
/** One handoff tool for all destinations of an assistant, one for each, or by model family. */
export type HandoffTools = 'grouped' | 'separate' | 'auto';
/**
 * How variables cross a handoff: extracted from the conversation by the platform, or passed by the
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
   * `squad` for a workflow in the shape of spec/3, else `vapi`.
   */
  target?: Target;
  /** Model of every assistant; default `{ provider: 'openai', model: 'gpt-4o' }`. */
  model?: { provider: string; model: string };
  /** Settings for all members, for example one voice. */
  memberOverrides?: object;
  /**
   * One tool with several destinations, or one tool for each; `auto` chooses by model family.
   * Default: `grouped` for target `squad`, `auto` for `vapi`.
   */
  handoffTools?: HandoffTools;
  /**
   * How variables cross a handoff. `plan` (default): the platform extracts them from the
   * conversation, which can fail. `arguments` (target `vapi`): each is a required argument of the
   * tool.
   */
  pass?: Pass;
  /** How much of the conversation crosses a handoff; default `{ type: 'all' }`. */
  context?: ContextEngineeringPlan;
  /** Where assistants are split; default `branch`. */
  boundary?: Boundary;
  /** Node id → name of the assistant whose first talk node it is. */
  names?: Record<string, string>;
  /** By tool id, the functions of tools that the source knows only by their ids. */
  toolNames?: Record<string, ToolName>;
  /** Variables that the caller supplies when the call starts. */
  dynamicVariables?: string[];
  /** Variables that must never be missing. */
  criticalVariables?: string[];
}

/** What the platform knows about a saved tool. */
export interface ToolName {
  name: string;
  description?: string;
}

type Defaulted = 'answers' | 'target' | 'handoffTools' | 'pass' | 'context' | 'boundary';

/** The options with every default filled in. */
export interface Settled extends Readonly<Required<Pick<CompileOptions, Defaulted>>> {
  readonly model: JsonObject | null;
  readonly memberOverrides: JsonObject;
  readonly names: ReadonlyMap<string, string>;
  readonly toolNames: ReadonlyMap<string, ToolName>;
  readonly dynamicVariables: ReadonlySet<string>;
  readonly criticalVariables: ReadonlySet<string>;
}

/** One answer: the key of a choice and, where the choice needs one, its value. */
export interface Answer {
  readonly choice: string;
  readonly value?: Json;
}

/** The human's answers: by question id, and per kind the answer to every question of that kind. */
export interface Answers {
  readonly answers?: Readonly<Record<string, Answer>>;
  readonly policies?: Readonly<Record<string, string | Required<Answer>>>;
}

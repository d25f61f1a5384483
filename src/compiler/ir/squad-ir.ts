/**
 * The squad before it is written: every text and value with its origin.
 *
 * Invariants: assistants stand in the order of the members, the entry first; names are unique and
 * at most 40 characters; destinations name existing assistants other than their own.
 */
import type { EdgeIndex, JsonPointer, NodeIndex, RegionIndex } from './ids.js';
import type { JsonObject } from './json.js';
import type { Segment, Traced } from './provenance.js';
import type { Fields, Template } from './template.js';
import type { GivenTool, NamedSetting, VariableType } from './workflow.js';

export interface SquadIr {
  readonly name: Traced<string> | null;
  readonly assistants: readonly AssistantIr[];
  readonly shared: readonly NamedSetting[];
  /** How much of the conversation crosses with a handoff. */
  readonly context: Traced<JsonObject>;
}

export interface AssistantIr {
  readonly index: RegionIndex;
  readonly name: Traced<string>;
  /** What sentences call it. */
  readonly label: string;
  /**
   * The id of one that the platform keeps: it has no prompt, no line and no model here, and its
   * settings and tools are what is added to it.
   */
  readonly savedAs: Traced<string> | null;
  readonly version: Traced<string> | null;
  readonly firstMessage: Template | null;
  readonly prompt: readonly Segment[];
  readonly model: Traced<JsonObject>;
  readonly settings: readonly NamedSetting[];
  readonly tools: readonly ToolIr[];
  /** Tools that the platform keeps, each once. */
  readonly savedTools: readonly Pick<GivenTool, 'savedAs' | 'version'>[];
}

export type ToolIr = HandoffIr | OtherToolIr;

/** Ways out of one node, or to global nodes (`node` null), that one tool offers together. */
export interface HandoffIr {
  readonly kind: 'handoff';
  readonly node: NodeIndex | null;
  /** The name of its function; null where the target has none. */
  readonly name: Traced<string> | null;
  /** They demand the same arguments; a refused one is alone. */
  readonly destinations: readonly DestinationIr[];
  /** Liquid texts: the platform refuses a call where all of them print `true`. */
  readonly refusals: readonly Traced<string>[];
}

/** A tool as the target has it, and what it stands for. */
export interface OtherToolIr {
  readonly kind: 'transfer' | 'request' | 'function' | 'given' | 'end';
  readonly node: NodeIndex | null;
  /** What the model calls it by; null where it has no name. */
  readonly name: Traced<string> | null;
  readonly template: Fields | Traced<JsonObject>;
  readonly edges: readonly EdgeIndex[];
}

export interface DestinationIr {
  readonly region: RegionIndex;
  readonly edges: readonly EdgeIndex[];
  readonly globals: readonly NodeIndex[];
  readonly description: Template;
  readonly plan: readonly PlanProperty[];
  /** What the plan derives when its properties are there, in this order. */
  readonly aliases: readonly PlanAlias[];
  /** What crosses as a required argument of the tool instead of by the plan. */
  readonly arguments: readonly PlanProperty[];
}

export interface PlanProperty {
  readonly name: string;
  readonly type: VariableType;
  readonly description: Template;
  readonly enum: readonly string[] | null;
  /** What a schema of the source says beside that; null where it says no more. */
  readonly details: Traced<JsonObject> | null;
  readonly captures: readonly JsonPointer[];
}

/** A variable that the model fills in as it calls a request. */
export interface FilledProperty {
  readonly property: PlanProperty;
  /** Whether the tool reads it once only. */
  readonly isOnly: boolean;
  readonly isRequired: boolean;
}

export interface PlanAlias {
  readonly key: Traced<string>;
  readonly value: Traced<string>;
}

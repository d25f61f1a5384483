/**
 * The squad before it is written: every text and value with its origin.
 *
 * Invariants: assistants are in the order of the members, the first takes the call; names are
 * unique and at most 40 characters long; destinations name other existing assistants.
 */
import type { JsonObject } from '../../text/json.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { EdgeIndex, NodeIndex, RegionIndex } from './ids.js';
import type { Segment, Traced } from './provenance.js';
import type { Field, Fields, Template } from './template.js';
import type { Capture, Saved } from './workflow.js';

export interface SquadIr {
  readonly name: Traced<string> | null;
  readonly assistants: readonly AssistantIr[];
  readonly shared: readonly Field[];
  /** How much of the conversation crosses a handoff. */
  readonly context: Traced<JsonObject>;
}

/**
 * A saved assistant has no prompt, first message or model here, and its settings and tools are
 * additions to it.
 */
export interface AssistantIr extends Saved {
  readonly index: RegionIndex;
  readonly name: Traced<string>;
  readonly firstMessage: Template | null;
  readonly prompt: readonly Segment[];
  readonly model: Traced<JsonObject>;
  readonly settings: readonly Field[];
  readonly tools: readonly ToolIr[];
  /** Saved tools, each once. */
  readonly savedTools: readonly Saved[];
}

export type ToolIr = HandoffIr | OtherToolIr;

/** Handoffs from one node, or to global nodes (`node` null), that one tool offers. */
export interface HandoffIr {
  readonly kind: 'handoff';
  readonly node: NodeIndex | null;
  /** The name of its function; null if the target has none. */
  readonly name: Traced<string> | null;
  /** All need the same arguments; a refusable one is alone. */
  readonly destinations: readonly DestinationIr[];
  /** Liquid texts: the platform refuses a call for which all of them print `true`. */
  readonly refusals: readonly Traced<string>[];
}

/** A tool in the target's shape, and what it stands for. */
export interface OtherToolIr {
  readonly kind: 'transfer' | 'request' | 'function' | 'given' | 'end';
  readonly node: NodeIndex | null;
  /** The name that the model calls it by; null if it has none. */
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
  /** Variables that the plan derives by templates when its properties are there, in this order. */
  readonly aliases: readonly Readonly<Record<'key' | 'value', Traced<string>>>[];
  /** Variables that cross as required arguments of the tool instead of through the plan. */
  readonly arguments: readonly PlanProperty[];
}

export interface PlanProperty extends Pick<Capture, 'name' | 'type' | 'enum' | 'details'> {
  readonly description: Template;
  readonly captures: readonly JsonPointer[];
}

/** A variable that the model fills in when it calls a request. */
export interface FilledProperty {
  readonly property: PlanProperty;
  /** True if the tool reads it only once. */
  readonly isOnly: boolean;
  readonly isRequired: boolean;
}

/**
 * What the service tells a webhook.
 *
 * Kinds that stand in the table are typed; every other kind passes through with an unknown payload,
 * so that a service that learns to say more breaks nobody. The two are told apart once, by
 * `isKnownWebhookEvent`; from there on a `switch` over `eventType` knows each payload.
 */
import type {
  ClassifyRun,
  EditRun,
  ExtractRun,
  ParseRun,
  SplitRun,
  StepRun,
  WorkflowRun,
} from './resources.js';

/** The payload of each kind, when it comes whole. */
export interface WebhookPayloads {
  readonly 'extract_run.processed': ExtractRun;
  readonly 'extract_run.failed': ExtractRun;
  readonly 'classify_run.processed': ClassifyRun;
  readonly 'classify_run.failed': ClassifyRun;
  readonly 'split_run.processed': SplitRun;
  readonly 'split_run.failed': SplitRun;
  readonly 'parse_run.processed': ParseRun;
  readonly 'parse_run.failed': ParseRun;
  readonly 'edit_run.processed': EditRun;
  readonly 'edit_run.failed': EditRun;
  readonly 'workflow_run.completed': WorkflowRun;
  readonly 'workflow_run.failed': WorkflowRun;
  readonly 'workflow_run.needs_review': WorkflowRun;
  readonly 'workflow_run.step_run.processed': StepRun;
}

/** The kinds of events whose payloads are typed. */
export type WebhookEventType = keyof WebhookPayloads;

/** In place of a payload that is too large to be delivered: where it can be had, for a while. */
export interface SignedPayload {
  readonly object: 'signed_data_url';
  /** An address that needs no credential, and therefore is one. */
  readonly data: string;
  /** Of the run that the event is about. */
  readonly id: string;
  readonly metadata?: Readonly<Record<string, unknown>>;
}

/** An event whose kind is in the table, and with it the type of its payload. */
export type KnownWebhookEvent<Type extends WebhookEventType = WebhookEventType> = {
  [Each in Type]: {
    /** The same when a delivery is repeated. */
    readonly eventId: string;
    readonly eventType: Each;
    readonly payload: WebhookPayloads[Each] | SignedPayload;
  };
}[Type];

/** An event of a kind that the service learnt later. */
export interface UnknownWebhookEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly payload: unknown;
}

/** What a verified delivery holds. */
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent;

const knownType =
  /^(?:(?:extract|classify|split|parse|edit)_run\.(?:processed|failed)|workflow_run\.(?:completed|failed|needs_review|step_run\.processed))$/;

/** Whether the kind of the event, and with it the type of its payload, is in the table. */
export function isKnownWebhookEvent(event: WebhookEvent): event is KnownWebhookEvent {
  return knownType.test(event.eventType);
}

/** Whether the payload has to be fetched from an address first. */
export function isSignedPayload(payload: unknown): payload is SignedPayload {
  const { object, data, id } = Object(payload) as Record<string, unknown>;
  return object === 'signed_data_url' && typeof data === 'string' && typeof id === 'string';
}

/** The event that is written there as JSON; undefined where there is none. */
export function parseEvent(bytes: Uint8Array): WebhookEvent | undefined {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    const { eventId, eventType, payload } = event;
    const isText = (value: unknown) => typeof value === 'string' && value !== '';
    return isText(eventId) && isText(eventType) && payload !== undefined ? event : undefined;
  } catch {
    // No UTF-8, no JSON, or nothing that has members.
    return undefined;
  }
}

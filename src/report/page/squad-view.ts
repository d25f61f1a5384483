/**
 * A squad document as the page shows it: members with their texts, tools, handoffs.
 *
 * It may come from a file that somebody changed, so whatever has not the expected shape is left out.
 */
import { child } from '../../compiler/ir/ids.js';
import { isJsonObject } from '../../compiler/ir/json.js';
import type { Json } from '../../index.js';

export interface SquadView {
  readonly members: readonly MemberView[];
}

export interface MemberView {
  readonly index: number;
  readonly at: string;
  readonly name: string;
  /** The id of a saved assistant, whose own texts are on the platform. */
  readonly savedAs: string | null;
  readonly texts: readonly TextView[];
  readonly destinations: readonly DestinationView[];
}

/** A text that the assistant speaks or follows. */
export interface TextView {
  readonly kind: 'first message' | 'prompt';
  readonly at: string;
  readonly text: string;
}

/** Where an assistant can lead the call. */
export interface DestinationView {
  readonly kind: 'handoff' | 'transfer';
  readonly at: string;
  readonly to: string;
  readonly description: string;
  /** Names of the variables that cross, with the places of their properties. */
  readonly carries: ReadonlyMap<string, string>;
}

export function viewSquad(squad: Json): SquadView {
  const wrapped = member(squad, 'squad');
  const [root, at] = wrapped === undefined ? [squad, ''] : [wrapped, '/squad'];
  return {
    members: listOf(member(root, 'members')).map((each, index) =>
      viewMember(each, `${at}/members/${index}`, index),
    ),
  };
}

function viewMember(value: Json, at: string, index: number): MemberView {
  const savedAs = textOf(member(value, 'assistantId'));
  const [key, assistant] =
    savedAs === null
      ? ['assistant', member(value, 'assistant') ?? null]
      : ['assistantOverrides', member(value, 'assistantOverrides') ?? null];
  const place = `${at}/${key}`;
  return {
    index,
    at,
    name: textOf(member(assistant, 'name')) ?? savedAs ?? `member ${index + 1}`,
    savedAs,
    texts: textsOf(assistant, place),
    destinations: [
      ...destinationsOf(member(assistant, 'model', 'tools'), `${place}/model/tools`),
      ...destinationsOf(member(assistant, 'tools:append'), `${place}/tools:append`),
    ],
  };
}

function textsOf(assistant: Json, at: string): TextView[] {
  const first = textOf(member(assistant, 'firstMessage'));
  const messages = listOf(member(assistant, 'model', 'messages'));
  return [
    ...(first === null
      ? []
      : [{ kind: 'first message' as const, at: `${at}/firstMessage`, text: first }]),
    ...messages.flatMap((message, index) => {
      const text = textOf(member(message, 'content'));
      const place = `${at}/model/messages/${index}/content`;
      return text === null ? [] : [{ kind: 'prompt' as const, at: place, text }];
    }),
  ];
}

function destinationsOf(tools: Json | undefined, at: string): DestinationView[] {
  return listOf(tools).flatMap((tool, toolIndex) => {
    const kind = kindOf(tool);
    if (kind === null) return [];
    const place = `${at}/${toolIndex}`;
    return listOf(member(tool, 'destinations')).map((destination, index) =>
      viewDestination(
        destination,
        kind,
        `${place}/destinations/${index}`,
        argumentsOf(tool, place),
      ),
    );
  });
}

function kindOf(tool: Json): DestinationView['kind'] | null {
  const type = member(tool, 'type');
  if (type === 'handoff') return 'handoff';
  return type === 'transferCall' ? 'transfer' : null;
}

function viewDestination(
  destination: Json,
  kind: DestinationView['kind'],
  at: string,
  given: ReadonlyMap<string, string>,
): DestinationView {
  const to = ['assistantName', 'assistantId', 'number', 'sipUri'].map((key) =>
    textOf(member(destination, key)),
  );
  const plan = `${at}/variableExtractionPlan/schema/properties`;
  const planned = keysOf(
    member(destination, 'variableExtractionPlan', 'schema', 'properties'),
    plan,
  );
  return {
    kind,
    at,
    to: to.find((each) => each !== null) ?? '?',
    description: textOf(member(destination, 'description')) ?? '',
    carries: new Map([...planned, ...given]),
  };
}

/** Arguments that a handoff asks for; which destination it is, is none. */
function argumentsOf(tool: Json, at: string): Map<string, string> {
  const place = `${at}/function/parameters/properties`;
  const all = keysOf(member(tool, 'function', 'parameters', 'properties'), place);
  all.delete('destination');
  return all;
}

function keysOf(properties: Json | undefined, at: string): Map<string, string> {
  const keys = isJsonObject(properties) ? Object.keys(properties) : [];
  return new Map(keys.map((key) => [key, child(at, key)]));
}

/** The value that is reached by these keys; undefined where there is none. */
function member(value: Json | undefined, ...keys: readonly string[]): Json | undefined {
  return keys.reduce<Json | undefined>(
    (inner, key) => (isJsonObject(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: Json | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

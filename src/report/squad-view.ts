/**
 * A squad document as pictures and pages show it: members with their texts, tools and destinations.
 *
 * It may come from anybody, in the shape of either target, so what has not the expected shape is left
 * out. Positions stay those of the document.
 */
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';

export interface SquadView {
  readonly name: string | null;
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
  /** The tool that ends calls; null where there is none. */
  readonly endAt: string | null;
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
  readonly tool: string;
  /** A name, an id or an address; null where it has none of them. */
  readonly to: string | null;
  /** Of a handoff the position of the member; null where there is none in this squad. */
  readonly member: number | null;
  readonly type: string;
  readonly description: string;
  /** Names of the variables that cross. */
  readonly carries: readonly string[];
  /** Whether the platform asks a model for what crosses. */
  readonly isExtracted: boolean;
}

/** The squad; null where the document is none. */
export function viewSquad(document: Json): SquadView | null {
  if (!isJsonObject(document)) return null;
  const wrapped = objectIn(document, 'squad');
  const isWrapped = Object.hasOwn(wrapped, 'members');
  const squad = isWrapped ? wrapped : document;
  if (!Object.hasOwn(squad, 'members') || !Array.isArray(squad['members'])) return null;
  const members = placed(squad, 'members', isWrapped ? '/squad' : '').map(({ value, at }) => {
    const savedAs = textIn(value, 'assistantId');
    const parts = [objectIn(value, 'assistant'), objectIn(value, 'assistantOverrides')] as const;
    return {
      value,
      at,
      savedAs,
      parts,
      name: textIn(parts[0], 'name') ?? textIn(parts[1], 'name'),
    };
  });
  // The first of several with one name counts.
  const known = new Map<string, number>();
  for (const [index, { name, savedAs }] of [...members.entries()].reverse()) {
    if (savedAs !== null) known.set(`id ${savedAs}`, index);
    known.set(`name ${name ?? savedAs ?? numbered(index)}`, index);
  }
  return {
    name: textIn(document, 'name'),
    members: members.map(({ value, at, savedAs, parts: [own, overrides], name }, index) => {
      const tools = [
        ...toolsOf(own, `${at}/assistant`),
        ...toolsOf(overrides, `${at}/assistantOverrides`),
      ];
      const destinations = [
        ...tools.flatMap((tool) => destinationsOf(tool, known)),
        // The platform's older way to say what handoff tools say.
        ...placed(value, 'assistantDestinations', at).map((each) =>
          viewDestination(each, 'handoff', each.at, [], known),
        ),
      ];
      return {
        index,
        at,
        name: name ?? savedAs ?? numbered(index),
        savedAs,
        texts:
          savedAs === null
            ? textsOf(own, `${at}/assistant`)
            : textsOf(overrides, `${at}/assistantOverrides`),
        destinations,
        endAt: tools.find((tool) => tool.value['type'] === 'endCall')?.at ?? null,
      };
    }),
  };
}

function numbered(index: number): string {
  return `member ${index + 1}`;
}

function textsOf(assistant: JsonObject, at: string): TextView[] {
  const first = textIn(assistant, 'firstMessage');
  const messages = placed(objectIn(assistant, 'model'), 'messages', `${at}/model`);
  const prompts = messages.map((each) => {
    return {
      kind: 'prompt' as const,
      at: `${each.at}/content`,
      text: textIn(each.value, 'content'),
    };
  });
  return [
    { kind: 'first message' as const, at: `${at}/firstMessage`, text: first },
    ...prompts,
  ].filter((each): each is TextView => each.text !== null);
}

/** The tools of an assistant or of overrides, where they replace and where they add. */
function toolsOf(assistant: JsonObject, at: string): Placed[] {
  return [
    ...placed(objectIn(assistant, 'model'), 'tools', `${at}/model`),
    ...placed(assistant, 'tools:append', at),
  ];
}

type Members = ReadonlyMap<string, number>;

function destinationsOf({ value: tool, at }: Placed, known: Members): DestinationView[] {
  const { type } = tool;
  if (type !== 'handoff' && type !== 'transferCall') return [];
  const kind = type === 'handoff' ? 'handoff' : 'transfer';
  const parameters = objectIn(objectIn(tool, 'function'), 'parameters');
  // Which destination it is crosses to nobody.
  const given = keysOf(parameters).filter((key) => key !== 'destination');
  return placed(tool, 'destinations', at).map((each) =>
    viewDestination(each, kind, at, given, known),
  );
}

function viewDestination(
  { value, at }: Placed,
  kind: DestinationView['kind'],
  tool: string,
  given: readonly string[],
  known: Members,
): DestinationView {
  const [name, id, number, uri] = ['assistantName', 'assistantId', 'number', 'sipUri'].map((key) =>
    textIn(value, key),
  );
  const planned = keysOf(objectIn(objectIn(value, 'variableExtractionPlan'), 'schema'));
  const member = known.get(name ? `name ${name}` : `id ${id}`) ?? null;
  return {
    kind,
    at,
    tool,
    to: name ?? id ?? number ?? uri ?? null,
    member: kind === 'handoff' ? member : null,
    type: textIn(value, 'type') ?? '',
    description: textIn(value, 'description') ?? '',
    carries: [...new Set([...planned, ...given])],
    isExtracted: Object.hasOwn(value, 'variableExtractionPlan'),
  };
}

function keysOf(schema: JsonObject): string[] {
  return Object.keys(objectIn(schema, 'properties'));
}

function textIn(object: JsonObject, key: string): string | null {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : null;
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return isJsonObject(value) ? value : {};
}

interface Placed {
  readonly value: JsonObject;
  readonly at: string;
}

/** The list as it stands, others than objects as empty ones, so that positions stay. */
function placed(object: JsonObject, key: string, at: string): Placed[] {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  if (!Array.isArray(value)) return [];
  return value.map((each: Json, index) => {
    return { value: isJsonObject(each) ? each : {}, at: `${at}/${key}/${index}` };
  });
}

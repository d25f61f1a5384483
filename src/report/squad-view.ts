/**
 * A squad document as pictures and pages show it: members with their texts, tools and destinations.
 *
 * It may come from anybody, in the shape of either target, so what has not the expected shape is left
 * out. Positions stay those of the document.
 */
import { child } from '../compiler/ir/ids.js';
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
  /** Names of the variables that cross, with the places of their properties. */
  readonly carries: ReadonlyMap<string, string>;
  /** Whether the platform asks a model for what crosses. */
  readonly isExtracted: boolean;
}

/** The squad; null where the document is none. */
export function viewSquad(document: Json): SquadView | null {
  if (!isJsonObject(document)) return null;
  const wrapped = objectIn(document, 'squad');
  const base = Object.hasOwn(wrapped, 'members') ? '/squad' : '';
  const squad = base === '' ? document : wrapped;
  if (!Object.hasOwn(squad, 'members') || !Array.isArray(squad['members'])) return null;
  const members = listIn(squad, 'members').map((member, index) =>
    viewMember(member, index, `${base}/members/${index}`),
  );
  // The first of several with one name counts.
  const known = new Map<string, number>();
  for (const { index, name, savedAs } of [...members].reverse()) {
    if (savedAs !== null) known.set(`id ${savedAs}`, index);
    known.set(`name ${name}`, index);
  }
  return {
    name: textIn(document, 'name'),
    members: members.map(({ tools, ...member }) => ({
      ...member,
      destinations: tools.flatMap((tool) => viewDestinations(tool, known)),
      endAt: tools.find(({ tool }) => tool['type'] === 'endCall')?.at ?? null,
    })),
  };
}

interface PlacedTool {
  readonly tool: JsonObject;
  readonly at: string;
  /** Its place is that of its one destination. */
  readonly isShort?: true;
}

function viewMember(member: JsonObject, index: number, at: string) {
  const savedAs = textIn(member, 'assistantId');
  const key = savedAs === null ? 'assistant' : 'assistantOverrides';
  const parts = ['assistant', 'assistantOverrides'].map((part) => objectIn(member, part));
  const name = parts.map((part) => textIn(part, 'name')).find((each) => each !== null);
  return {
    index,
    at,
    name: name ?? savedAs ?? `member ${index + 1}`,
    savedAs,
    texts: textsOf(objectIn(member, key), `${at}/${key}`),
    tools: [
      ...toolsOf(objectIn(member, 'assistant'), `${at}/assistant`),
      ...toolsOf(objectIn(member, 'assistantOverrides'), `${at}/assistantOverrides`),
      // The platform's older way to say what handoff tools say.
      ...placed(member, 'assistantDestinations', at).map((each) => ({
        ...each,
        tool: { type: 'handoff', destinations: [each.tool] },
        isShort: true as const,
      })),
    ],
  };
}

function textsOf(assistant: JsonObject, at: string): TextView[] {
  const first = textIn(assistant, 'firstMessage');
  const messages = placed(objectIn(assistant, 'model'), 'messages', `${at}/model`);
  return [
    ...(first === null
      ? []
      : [{ kind: 'first message' as const, at: `${at}/firstMessage`, text: first }]),
    ...messages.flatMap(({ tool: message, at: place }) => {
      const text = textIn(message, 'content');
      return text === null ? [] : [{ kind: 'prompt' as const, at: `${place}/content`, text }];
    }),
  ];
}

/** The tools of an assistant or of overrides, where they replace and where they add. */
function toolsOf(assistant: JsonObject, at: string): PlacedTool[] {
  return [
    ...placed(objectIn(assistant, 'model'), 'tools', `${at}/model`),
    ...placed(assistant, 'tools:append', at),
  ];
}

function placed(object: JsonObject, key: string, at: string): PlacedTool[] {
  return listIn(object, key).map((tool, index) => ({ tool, at: `${at}/${key}/${index}` }));
}

const addresses = ['assistantName', 'assistantId', 'number', 'sipUri'];

function viewDestinations(
  { tool, at, isShort }: PlacedTool,
  known: ReadonlyMap<string, number>,
): DestinationView[] {
  const type = tool['type'];
  if (type !== 'handoff' && type !== 'transferCall') return [];
  const parameters = objectIn(objectIn(tool, 'function'), 'parameters');
  const given = keysOf(parameters, `${at}/function/parameters`);
  // Which destination it is crosses to nobody.
  given.delete('destination');
  return listIn(tool, 'destinations').map((destination, index) => {
    const place = isShort ? at : `${at}/destinations/${index}`;
    const schema = objectIn(objectIn(destination, 'variableExtractionPlan'), 'schema');
    const planned = keysOf(schema, `${place}/variableExtractionPlan/schema`);
    const [name, id, ...others] = addresses.map((key) => textIn(destination, key));
    const to = name ?? id ?? others.find((each) => each !== null) ?? null;
    const member = known.get(name ? `name ${name}` : `id ${id}`) ?? null;
    return {
      kind: type === 'handoff' ? 'handoff' : 'transfer',
      at: place,
      tool: at,
      to,
      member: type === 'handoff' ? member : null,
      type: textIn(destination, 'type') ?? '',
      description: textIn(destination, 'description') ?? '',
      carries: new Map([...planned, ...given]),
      isExtracted: Object.hasOwn(destination, 'variableExtractionPlan'),
    };
  });
}

/** The properties of a schema, with their places. */
function keysOf(schema: JsonObject, at: string): Map<string, string> {
  const keys = Object.keys(objectIn(schema, 'properties'));
  return new Map(keys.map((key) => [key, child(`${at}/properties`, key)]));
}

function textIn(object: JsonObject, key: string): string | null {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return typeof value === 'string' ? value : null;
}

function objectIn(object: JsonObject, key: string): JsonObject {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return isJsonObject(value) ? value : {};
}

/** The list as it stands, others than objects as empty ones, so that positions stay. */
function listIn(object: JsonObject, key: string): readonly JsonObject[] {
  const value = Object.hasOwn(object, key) ? object[key] : undefined;
  return Array.isArray(value) ? value.map((it: Json) => (isJsonObject(it) ? it : {})) : [];
}

/**
 * A squad document as pictures and pages show it: members with their texts, tools and destinations.
 *
 * It may come from anybody, in the shape of either target. What does not have the expected shape is
 * left out; positions stay those of the document.
 */
import { isObject, type Json } from '../text/json.js';
import { valueAt } from '../text/pointer.js';

export type SquadView = NonNullable<ReturnType<typeof viewSquad>>;
export type MemberView = SquadView['members'][number];
/** Where an assistant can lead the call. */
export type DestinationView = MemberView['destinations'][number];
/** A text that the assistant speaks or follows. */
export type TextView = MemberView['texts'][number];

/** Null if the document is no squad. */
export function viewSquad(document: Json) {
  const root = valueAt(document, '/squad/members') === undefined ? '' : '/squad';
  if (!Array.isArray(valueAt(document, `${root}/members`))) return null;
  const members = itemsAt(document, `${root}/members`).map((at, index) => {
    // The id of a saved assistant, whose own texts are on the platform.
    const savedAs = stringAt(document, `${at}/assistantId`);
    const own = stringAt(document, `${at}/assistant/name`, `${at}/assistantOverrides/name`);
    return { index, at, savedAs, name: own ?? savedAs ?? `member ${index + 1}` };
  });
  // The first of several members with the same name counts.
  const known = new Map<string, number>();
  for (const { index, name, savedAs } of members.toReversed()) {
    if (savedAs !== null) known.set(`id ${savedAs}`, index);
    known.set(`name ${name}`, index);
  }
  return {
    name: stringAt(document, '/name'),
    members: members.map((member) => {
      const { at, savedAs } = member;
      const tools = ['assistant', 'assistantOverrides'].flatMap((part) => [
        ...itemsAt(document, `${at}/${part}/model/tools`),
        ...itemsAt(document, `${at}/${part}/tools:append`),
      ]);
      // The platform's older form of handoff tools.
      const older = itemsAt(document, `${at}/assistantDestinations`);
      return {
        ...member,
        texts: textsOf(document, `${at}/${savedAs === null ? 'assistant' : 'assistantOverrides'}`),
        destinations: [
          ...tools.flatMap((tool) => destinationsOf(document, tool, known)),
          ...older.map((each) => viewDestination(document, each, 'handoff', each, [], known)),
        ],
        hasEndTool: tools.some((tool) => valueAt(document, `${tool}/type`) === 'endCall'),
      };
    }),
  };
}

function textsOf(document: Json, assistant: string) {
  const messages = itemsAt(document, `${assistant}/model/messages`);
  const places = [
    ['first message', `${assistant}/firstMessage`] as const,
    ...messages.map((at) => ['prompt', `${at}/content`] as const),
  ];
  return places.flatMap(([kind, at]) => {
    const text = stringAt(document, at);
    return text === null ? [] : [{ kind, at, text }];
  });
}

type Members = ReadonlyMap<string, number>;

function destinationsOf(document: Json, tool: string, known: Members) {
  const type = valueAt(document, `${tool}/type`);
  if (type !== 'handoff' && type !== 'transferCall') return [];
  const kind = type === 'handoff' ? 'handoff' : 'transfer';
  const parameters = keysAt(document, `${tool}/function/parameters/properties`);
  // The name of the destination is an argument of the tool, and crosses to nobody.
  const given = parameters.filter((key) => key !== 'destination');
  return itemsAt(document, `${tool}/destinations`).map((at) =>
    viewDestination(document, at, kind, tool, given, known),
  );
}

function viewDestination(
  document: Json,
  at: string,
  kind: 'handoff' | 'transfer',
  tool: string,
  given: readonly string[],
  known: Members,
) {
  const name = stringAt(document, `${at}/assistantName`);
  const id = stringAt(document, `${at}/assistantId`);
  const member = known.get(name ? `name ${name}` : `id ${id}`) ?? null;
  const planned = keysAt(document, `${at}/variableExtractionPlan/schema/properties`);
  return {
    kind,
    at,
    tool,
    // A name, an id or an address.
    to: name ?? id ?? stringAt(document, `${at}/number`, `${at}/sipUri`),
    // Its index; null if no member of this squad is meant.
    member: kind === 'handoff' ? member : null,
    type: stringAt(document, `${at}/type`) ?? '',
    description: stringAt(document, `${at}/description`) ?? '',
    // Names of the variables that cross.
    carries: [...new Set([...planned, ...given])],
    // Whether the platform asks a model for what crosses.
    isExtracted: valueAt(document, `${at}/variableExtractionPlan`) !== undefined,
  };
}

/** The first text among what stands at these places, an empty one too. */
function stringAt(document: Json, ...pointers: readonly string[]): string | null {
  const values = pointers.map((at) => valueAt(document, at));
  return values.find((value) => typeof value === 'string') ?? null;
}

/** The places of a list's items. */
function itemsAt(document: Json, at: string): string[] {
  const value = valueAt(document, at);
  return Array.isArray(value) ? value.map((_, index) => `${at}/${index}`) : [];
}

function keysAt(document: Json, at: string): string[] {
  const value = valueAt(document, at);
  return isObject(value) ? Object.keys(value) : [];
}

/** The members of a squad document in the shape of either target, and what they can do. */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { listIn, objectIn, textIn } from './reading.js';

export interface Member {
  readonly index: number;
  readonly at: string;
  readonly name: string;
  readonly isSaved: boolean;
  /** The id that the platform knows a saved assistant by. */
  readonly savedAs: string | null;
  readonly tools: readonly PlacedTool[];
  /** The texts of its system messages. */
  readonly prompt: string;
  /** The tool that ends calls; null where there is none. */
  readonly endAt: string | null;
}

interface PlacedTool {
  readonly tool: JsonObject;
  readonly at: string;
}

/** Null where the document is no squad. */
export function membersOf(document: Json): { readonly members: readonly Member[] } | null {
  if (!isJsonObject(document)) return null;
  const wrapped = objectIn(document, 'squad');
  const base = Object.hasOwn(wrapped, 'members') ? '/squad' : '';
  const squad = base === '' ? document : wrapped;
  if (!Object.hasOwn(squad, 'members') || !Array.isArray(squad.members)) return null;
  const members = listIn(squad, 'members');
  return {
    members: members.map((member, index) => readMember(member, index, `${base}/members/${index}`)),
  };
}

function readMember(member: JsonObject, index: number, at: string): Member {
  const savedAs = textIn(member, 'assistantId');
  const own = objectIn(member, 'assistant');
  const overrides = objectIn(member, 'assistantOverrides');
  const tools = [
    ...toolsOf(own, `${at}/assistant`),
    ...toolsOf(overrides, `${at}/assistantOverrides`),
    ...shorthand(member, at),
  ];
  const end = tools.find(({ tool }) => tool.type === 'endCall');
  return {
    index,
    at,
    name: textIn(own, 'name') ?? textIn(overrides, 'name') ?? savedAs ?? `member ${index + 1}`,
    isSaved: savedAs !== null,
    savedAs,
    tools,
    prompt: listIn(objectIn(own, 'model'), 'messages')
      .map((each) => textIn(each, 'content') ?? '')
      .join('\n'),
    endAt: end?.at ?? null,
  };
}

/** The tools of an assistant or of overrides, where they replace and where they add. */
function toolsOf(assistant: JsonObject, at: string): PlacedTool[] {
  const model = objectIn(assistant, 'model');
  return [
    ...placed(listIn(model, 'tools'), `${at}/model/tools`),
    ...placed(listIn(assistant, 'tools:append'), `${at}/tools:append`),
  ];
}

function placed(tools: readonly JsonObject[], at: string): PlacedTool[] {
  return tools.map((tool, index) => ({ tool, at: `${at}/${index}` }));
}

/** `assistantDestinations`, the platform's older way to say what handoff tools say. */
function shorthand(member: JsonObject, at: string): PlacedTool[] {
  return listIn(member, 'assistantDestinations').map((destination, index) => ({
    tool: { type: 'handoff', destinations: [destination] },
    at: `${at}/assistantDestinations/${index}`,
  }));
}

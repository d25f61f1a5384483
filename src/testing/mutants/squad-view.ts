/**
 * A squad as the operators look at it, in the shape of either target. What is missing or of another
 * kind reads as absent, so that a squad of somebody else's gives fewer mutants and no error.
 */
import { child, type JsonPointer } from '../../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { type PromptView, viewPrompt } from './prompt-view.js';
import { readSourceTexts, type SourceTexts } from './source-texts.js';

export interface SquadView {
  readonly squad: JsonObject;
  /** Whether it has the shape of target `squad`: a `squad` around the members. */
  readonly wrapped: boolean;
  /** Where members and overrides stand. */
  readonly rootAt: JsonPointer;
  readonly membersAt: JsonPointer;
  /** Members with an assistant of their own; one that is saved elsewhere has nothing to damage. */
  readonly members: readonly MemberView[];
  /** All members, as they are written. */
  readonly memberList: readonly Json[];
  readonly tools: readonly ToolView[];
  readonly destinations: readonly DestinationView[];
  readonly source: SourceTexts;
}

export interface MemberView {
  readonly index: number;
  readonly at: JsonPointer;
  readonly value: JsonObject;
  readonly assistant: JsonObject;
  readonly assistantAt: JsonPointer;
  readonly name: string;
  /** What it says first; empty where it has no line of its own. */
  readonly opening: string;
  readonly prompt: PromptView;
  readonly promptAt: JsonPointer;
  readonly toolsAt: JsonPointer;
  readonly tools: readonly ToolView[];
  readonly destinations: readonly DestinationView[];
}

export interface ToolView {
  readonly at: JsonPointer;
  readonly member: number;
  readonly type: string;
  readonly value: JsonObject;
  /** Name under which the model calls it; empty where it has none. */
  readonly name: string;
  /** Of a handoff tool. */
  readonly destinations: readonly DestinationView[];
}

export interface DestinationView {
  readonly at: JsonPointer;
  readonly member: number;
  readonly toolAt: JsonPointer;
  readonly value: JsonObject;
  readonly target: string;
  readonly description: string;
  /** Schema of its extraction plan, and where that stands. */
  readonly schema: JsonObject | null;
  readonly schemaAt: JsonPointer;
}

export function viewSquad(squad: JsonObject, workflow: unknown): SquadView {
  const source = readSourceTexts(workflow, squad);
  const wrapped = isJsonObject(squad['squad']);
  const rootAt = wrapped ? '/squad' : '';
  const membersAt = `${rootAt}/members`;
  const root = wrapped ? objectOf(squad['squad']) : squad;
  const memberList = listOf(root['members']);
  const members = memberList.flatMap((member, index) =>
    isJsonObject(member) && isJsonObject(objectOf(member['assistant'])['model'])
      ? [viewMember(member, index, child(membersAt, index), source)]
      : [],
  );
  return {
    squad,
    wrapped,
    rootAt,
    membersAt,
    members,
    memberList,
    tools: members.flatMap(({ tools }) => tools),
    destinations: members.flatMap(({ destinations }) => destinations),
    source,
  };
}

function viewMember(
  value: JsonObject,
  index: number,
  at: JsonPointer,
  { multiline }: SourceTexts,
): MemberView {
  const assistant = objectOf(value['assistant']);
  const assistantAt = `${at}/assistant`;
  const model = objectOf(assistant['model']);
  const toolsAt = `${assistantAt}/model/tools`;
  const tools = listOf(model['tools']).flatMap((tool, number) =>
    isJsonObject(tool) ? [viewTool(tool, child(toolsAt, number), index)] : [],
  );
  const prompt = textOf(objectOf(listOf(model['messages'])[0])['content']);
  return {
    index,
    at,
    value,
    assistant,
    assistantAt,
    name: textOf(assistant['name']),
    opening: textOf(assistant['firstMessage']),
    prompt: viewPrompt(prompt, multiline),
    promptAt: `${assistantAt}/model/messages/0/content`,
    toolsAt,
    tools,
    destinations: tools.flatMap(({ destinations }) => destinations),
  };
}

function viewTool(value: JsonObject, at: JsonPointer, member: number): ToolView {
  const type = textOf(value['type']);
  const listed = type === 'handoff' ? listOf(value['destinations']) : [];
  return {
    at,
    member,
    type,
    value,
    name: textOf(value['name']) || textOf(objectOf(value['function'])['name']),
    destinations: listed.flatMap((destination, index) =>
      isJsonObject(destination)
        ? [viewDestination(destination, `${at}/destinations/${index}`, { member, at })]
        : [],
    ),
  };
}

function viewDestination(
  value: JsonObject,
  at: JsonPointer,
  tool: Pick<ToolView, 'at' | 'member'>,
): DestinationView {
  const plan = objectOf(value['variableExtractionPlan']);
  return {
    at,
    member: tool.member,
    toolAt: tool.at,
    value,
    target: textOf(value['assistantName']) || textOf(value['assistantId']),
    description: textOf(value['description']),
    schema: isJsonObject(plan['schema']) ? plan['schema'] : null,
    schemaAt: `${at}/variableExtractionPlan/schema`,
  };
}

/** The value as an object; an empty one where it is none. */
export function objectOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Whether both are the same JSON, key order included. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * SquadIr → the document of the target, with its source map.
 *
 * In: the squad and the target. Out: plain JSON in the target's shape, keys in a fixed order, and for
 * every value where it came from. Guarantees: nothing is decided here.
 *
 * Target `squad` is the shape of spec/3. Target `vapi` is the body of the platform's create-squad
 * call: there every assistant says how it opens (one without a line of its own would fall silent after
 * a handoff), and a saved assistant is told by overrides what it is called here, and is given the
 * tools of its ways.
 */
import { append } from '../../graph/lists.js';
import { child, type EdgeIndex, type JsonPointer } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import type { Target } from '../ir/options.js';
import type { SourceMapEntry } from '../ir/result.js';
import type { AssistantIr, SquadIr } from '../ir/squad-ir.js';
import {
  type Field,
  type Fields,
  fieldsOf,
  fixed,
  type Template,
  writeTemplate,
} from '../ir/template.js';
import type { NamedSetting } from '../ir/workflow.js';
import { handoffTemplate } from './handoffs.js';

export interface Assembled {
  readonly document: JsonObject;
  readonly sourceMap: readonly SourceMapEntry[];
  /** Pointer of the member at a position. */
  readonly memberAt: (index: number) => JsonPointer;
  /** Where the handoffs and transfers stand that are taken on an edge. */
  readonly edges: ReadonlyMap<EdgeIndex, readonly JsonPointer[]>;
}

export function assemble(squad: SquadIr, target: Target): Assembled {
  const membersAt = target === 'squad' ? '/squad/members' : '/members';
  const memberAt = (index: number) => child(membersAt, index);
  const sourceMap: SourceMapEntry[] = [];
  const document = writeTemplate(documentOf(squad, target), '', sourceMap) as JsonObject;
  return { document, sourceMap, memberAt, edges: placeEdges(squad, memberAt) };
}

function documentOf(squad: SquadIr, target: Target): Fields {
  const { name, assistants, shared } = squad;
  const members: Field = [
    'members',
    { items: assistants.map((it) => memberOf(squad, it, target)) },
  ];
  const settings: Fields = { fields: settingFields(shared) };
  if (target === 'squad') {
    const fields = [members, ...optional('memberOverrides', settings, shared.length)];
    return { fields: [['squad', { fields }]] };
  }
  return {
    fields: [
      ...(name === null ? [] : [['name', name] as const]),
      members,
      ...optional('membersOverrides', settings, shared.length),
    ],
  };
}

function memberOf(squad: SquadIr, assistant: AssistantIr, target: Target): Fields {
  const { savedAs, name, settings } = assistant;
  if (savedAs === null) return { fields: [['assistant', assistantOf(squad, assistant, target)]] };
  const id: Field = ['assistantId', savedAs];
  // In target `squad` what would have to be added is an error before it comes to this.
  if (target === 'squad') return { fields: [id] };
  const added = toolsOf(squad, assistant);
  // What overrides say of tools replaces those of the assistant, unless they are appended.
  const fields: Field[] = [
    ['name', name],
    ...settingFields(settings),
    ...optional('tools:append', { items: added }, added.length),
  ];
  return { fields: [id, ['assistantOverrides', { fields }]] };
}

function assistantOf(squad: SquadIr, assistant: AssistantIr, target: Target): Fields {
  const { name, settings, firstMessage, model, prompt, savedTools } = assistant;
  const line: Field[] = firstMessage === null ? [] : [['firstMessage', firstMessage]];
  // How an assistant opens by itself is not for a target to say.
  const opensByItself = settings.some(({ key }) => key === 'firstMessageMode');
  const opening = line.length > 0 || opensByItself || target === 'squad' ? line : silent;
  const message: Fields = {
    fields: [
      ['role', fixed('system')],
      ['content', { segments: prompt }],
    ],
  };
  const tools = toolsOf(squad, assistant);
  const fields: Field[] = [
    ...fieldsOf(model),
    ['messages', { items: [message] }],
    ...optional('tools', { items: tools }, tools.length),
    ...optional('toolIds', { items: savedTools }, savedTools.length),
  ];
  return {
    fields: [['name', name], ...opening, ['model', { fields }], ...settingFields(settings)],
  };
}

/** Without a line of its own the assistant finds one: it has taken over a call that goes on. */
const silent: readonly Field[] = [
  ['firstMessage', fixed('')],
  ['firstMessageMode', fixed('assistant-speaks-first-with-model-generated-message')],
];

function toolsOf(squad: SquadIr, { tools }: AssistantIr): readonly Template[] {
  return tools.map((it) => (it.kind === 'handoff' ? handoffTemplate(squad, it) : it.template));
}

function settingFields(settings: readonly NamedSetting[]): Field[] {
  return settings.map(({ key, value }) => [key, value]);
}

function optional(key: string, value: Template, count: number): Field[] {
  return count === 0 ? [] : [[key, value]];
}

function placeEdges(
  { assistants }: SquadIr,
  memberAt: (index: number) => JsonPointer,
): Map<EdgeIndex, JsonPointer[]> {
  const edges = new Map<EdgeIndex, JsonPointer[]>();
  for (const { index, savedAs, tools } of assistants) {
    const member = memberAt(index);
    const at = `${member}/${savedAs === null ? 'assistant/model/tools' : 'assistantOverrides/tools:append'}`;
    for (const [place, tool] of tools.entries()) {
      if (tool.kind !== 'handoff') {
        for (const edge of tool.edges) append(edges, edge, child(at, place));
        continue;
      }
      for (const [destination, { edges: taken }] of tool.destinations.entries()) {
        const pointer = `${at}/${place}/destinations/${destination}`;
        for (const edge of taken) append(edges, edge, pointer);
      }
    }
  }
  return edges;
}

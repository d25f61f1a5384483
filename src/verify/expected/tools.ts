/**
 * The tools that each assistant needs, by source and answers.
 *
 * A node's tool belongs to every assistant that owns the node, a transfer to every assistant that
 * leads to it, and the tool for a global node's condition to every assistant. Equal nodes need one
 * tool. Target `vapi` needs a tool wherever a call can end. What the platform has to refuse follows
 * from the transitions to a tool: it refuses a call if all are guarded and no guard is open.
 */
import { type Squad, savedToolKey } from '../../call/squad.js';
import { transfersOf } from '../../call/vocabulary.js';
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { toToolName } from '../../compiler/ir/names.js';
import { isSchema } from '../../compiler/ir/template.js';
import { indexOfStart, linesOfTool, startLineOf } from '../../compiler/ir/texts.js';
import { destinationKey, isE164, transferToolKey } from '../../compiler/ir/tool.js';
import { enumerate } from '../../compiler/ir/wording.js';
import type * as ir from '../../compiler/ir/workflow.js';
import { givenToolKey } from '../../compiler/ir/workflow.js';
import type { TargetShape } from '../../compiler/targets.js';
import { groupBy } from '../../graph/lists.js';
import { asObject, type Json, type JsonObject, textOf } from '../../text/json.js';
import { elements } from '../../text/parts.js';
import type { JsonPointer } from '../../text/pointer.js';
import type { MemberFacts } from '../walk/members.js';
import { type Fields, keptBy, schemaOf, sentBy, sentByGiven } from './requests.js';
import { type Handoff, type Owners, outgoing, type SourceGraph } from './source.js';

type Kind = 'request' | 'transfer' | 'custom' | 'end' | 'given';

/** Something about a tool of an assistant; its key distinguishes it from the others. */
interface Use {
  readonly key: string;
  /** What needs it, and how; absent where this only says more about a tool that is needed. */
  readonly kind?: Kind;
  readonly source?: ir.WorkflowNode | ir.GivenTool | ir.ToolCall;
  /** A text that its description has to contain. */
  readonly text?: ir.Text;
  /** What leads to it, which its description says if the source has none. */
  readonly lead?: ir.Text;
  /** The condition under which it is called; null for none. */
  readonly gate?: ir.Condition | null;
}

export interface ExpectedTool {
  readonly key: string;
  readonly kind: Kind;
  /** The texts that its description has to contain. */
  readonly texts: readonly ir.Text[];
  /** The id of the node, or the name of the tool that an answer asked for. */
  readonly label: string;
  readonly at: JsonPointer;
  /** Its name if names are free; null for a tool that goes by its type. */
  readonly name: string | null;
  /** The tool in the target's shape. */
  readonly value: JsonObject;
  /** Whether the source describes it. */
  readonly isDescribed: boolean;
  /** Whether the source itself says when the platform refuses it. */
  readonly refusesItself: boolean;
}

/** What a member needs: tools, and the ids of saved ones with their places in the source. */
export interface Needed {
  readonly tools: readonly ExpectedTool[];
  readonly ids: ReadonlyMap<string, JsonPointer>;
}

/**
 * The expected rejection plan; undefined if nothing is refused. The platform refuses a call of a
 * tool if all texts of its plan print `true`: one for each guard, printing the opposite of the
 * guard. A transition without a guard is never refused.
 */
export function rejectionPlanFor(gates: readonly (ir.Condition | null)[]): JsonObject | undefined {
  const guards = gates.map((condition) => condition?.guard ?? null);
  if (guards.length === 0 || guards.includes(null)) return undefined;
  const conditions = [...new Set(guards)].map((guard) => {
    const open = `{% capture squadc_open %}${guard}{% endcapture %}`;
    const liquid = `${open}{% if squadc_open == "true" %}false{% else %}true{% endif %}`;
    return { type: 'liquid', liquid };
  });
  return { conditions };
}

/** The name of a request's tool, if it is free. */
export function nameOfRequest({ request, name, id }: ir.WorkflowNode): string {
  return toToolName(request?.toolName?.value ?? name ?? id);
}

const transferKey = (transfer: ir.Transfer) => `transfer ${transferToolKey(transfer)}`;

/** Distinguishes the tools of a member. */
export function keyOfTool({ index, transfer }: ir.WorkflowNode): string {
  return transfer === null ? `node ${index}` : transferKey(transfer);
}

export const keyOfGiven = (tool: ir.GivenTool) => `given ${givenToolKey(tool)}`;

/** By member; and the nodes whose tool no member has to have, because none owns what leads to them. */
export function expectTools(
  graph: SourceGraph,
  { shape }: Squad,
  owners: Owners,
  facts: readonly MemberFacts[],
  handoffs: readonly Handoff[],
): { readonly needed: readonly Needed[]; readonly homeless: readonly ir.WorkflowNode[] } {
  const called = new Set<NodeIndex>();
  const nodes = graph.order.map(graph.nodeAt);
  const captures = nodes.flatMap((node) => node.captures);
  const captureOf = new Map(captures.toReversed().map((it) => [it.name, it]));
  const standing = (index: NodeIndex) => graph.nodeAt(owners.standsFor(index));
  const useNode = (kind: Kind, index: NodeIndex): Use => {
    const source = standing(index);
    called.add(source.index);
    return { key: `node ${source.index}`, kind, source };
  };
  const useCall = (source: ir.ToolCall): Use =>
    source.node === null
      ? { key: `custom ${toToolName(source.tool)}`, kind: 'custom', source }
      : { ...useNode('request', source.node), gate: null };
  const useExit = (index: NodeIndex, text: ir.Text, gate: ir.Condition | null): Use[] => {
    const { transfer } = standing(index);
    const use = useNode(transfer === null ? 'end' : 'transfer', index);
    if (transfer !== null) return [{ ...use, key: transferKey(transfer), text, gate }];
    return shape.hasFunctions ? [{ ...use, key: 'end', gate }] : [];
  };
  const usesOfNode = (index: NodeIndex, member: number): Use[] => {
    const { request, calls, tools, role } = graph.nodeAt(index);
    const gate = role === 'talk' && { gate: null };
    return [
      ...(request === null ? [] : [useNode('request', index)]),
      ...calls.map(useCall),
      ...tools.map((source): Use => ({ key: keyOfGiven(source), kind: 'given', source, ...gate })),
      ...outgoing(graph, owners.standsFor, index).flatMap((it): Use[] => {
        const { to, edge, condition, beside, isExit } = it;
        const isLed = graph.nodeAt(to).request !== null && owners.of(to).has(member);
        if (!isExit && !isLed) return [];
        const when = condition ?? facts[member]!.whenDone(edge, beside);
        if (isExit) return useExit(to, when, condition);
        return [{ key: `node ${owners.standsFor(to)}`, lead: when }];
      }),
    ];
  };
  const usesOfGlobal = (
    member: number,
    { index, global, role, request }: ir.WorkflowNode,
  ): Use[] => {
    const when = global!.condition!;
    const isOwn = request !== null && owners.of(index).has(member);
    return [
      ...(when.call === null ? [] : [useCall(when.call)]),
      ...(role === 'exit' ? useExit(index, when, when) : []),
      ...(isOwn ? [useNode('request', index)] : []),
      // It says when to call the tool, whatever that is called for.
      ...(request === null ? [] : [{ key: `node ${owners.standsFor(index)}`, text: when }]),
    ];
  };
  const gates = listGates(graph, owners, handoffs);
  const usesOf = (member: number): Use[] => [
    ...facts[member]!.nodes.flatMap((index) => usesOfNode(index, member)),
    ...graph.globalNodes.flatMap((it) => usesOfGlobal(member, it)),
    ...(gates.get(member) ?? []).flatMap(({ to, gate }) => {
      const { index, role, tools } = standing(to);
      const keys = [`node ${index}`, ...tools.map(keyOfGiven)];
      return role === 'act' ? keys.map((key): Use => ({ key, gate })) : [];
    }),
  ];
  const needed = facts.map((own, member): Needed => {
    const all = [...groupBy(usesOf(member), ({ key }) => key).values()];
    const sources = all.flatMap((uses) => uses.find(({ source }) => source)?.source ?? []);
    const given = sources.flatMap((it) => ('savedAs' in it ? it : []));
    // If the source has a tool that ends the call, the assistant has this one.
    const endsItself = given.some(({ value }) => value?.value['type'] === 'endCall');
    const ids = given.flatMap(({ savedAs, version, at }) =>
      savedAs === null ? [] : [[savedToolKey(savedAs.value, version?.value ?? null), at] as const],
    );
    const writing = { graph, shape, captureOf, own };
    const tools = all.flatMap((uses) => writeTool(uses, writing) ?? []);
    const counting = tools.filter(({ kind }) => kind !== 'end' || !endsItself);
    return { tools: counting, ids: new Map(ids) };
  });
  return {
    needed,
    homeless: nodes.filter(({ index, type, request, role }) => {
      const needs = request !== null || type === 'tool' || type === 'transferCall';
      if (!needs || called.has(owners.standsFor(index))) return false;
      return role === 'exit' || owners.of(index).size === 0;
    }),
  };
}

/** How the tools of nodes are reached within a member; after a handoff nothing is judged any more. */
function listGates(graph: SourceGraph, owners: Owners, handoffs: readonly Handoff[]) {
  const within = (to: NodeIndex, gate: ir.Condition | null, members = owners.of(to)) =>
    [...members].flatMap((member) => (owners.of(to).has(member) ? { member, to, gate } : []));
  const all = [
    ...graph.edges.flatMap(({ from, to, condition }) => within(to, condition, owners.of(from))),
    ...graph.globalNodes.flatMap(({ index, global }) => within(index, global!.condition)),
    ...within(graph.start, null),
    ...handoffs.flatMap(({ target, to }) =>
      target === null ? [] : { member: target, to, gate: null },
    ),
  ];
  return groupBy(all, ({ member }) => member);
}

interface Writing {
  readonly graph: SourceGraph;
  readonly shape: TargetShape;
  readonly captureOf: ReadonlyMap<string, ir.Capture>;
  readonly own: MemberFacts;
}

/** The tool with an empty first message if the model says its opening line. */
function withoutTold(
  fields: Fields,
  tool: ir.Request | ir.GivenTool,
  { own, graph }: Writing,
): Fields {
  const isIts = (it: ir.GivenTool) => 'savedAs' in tool && givenToolKey(it) === givenToolKey(tool);
  const users = own.nodes
    .map(graph.nodeAt)
    .filter(({ request, tools }) => request === tool || tools.some(isIts));
  if (!users.flatMap((it) => startLineOf(it) ?? []).some(own.isTold)) return fields;
  const all = elements(fields['messages']);
  const start = indexOfStart(all);
  const messages = all.map((it, at) => (at === start ? { ...asObject(it), content: '' } : it));
  return { ...fields, messages };
}

/** The tool in the shape of the target; null for a saved one, and if nothing needs it. */
function writeTool(uses: readonly Use[], writing: Writing): ExpectedTool | null {
  const first = uses.find(({ source }) => source !== undefined);
  if (first === undefined) return null;
  const { key } = first;
  const [source, kind] = [first.source!, first.kind!];
  const texts = uses.flatMap(({ text }) => text ?? []);
  const leads = uses.flatMap(({ lead }) => lead ?? []);
  const gates = uses.flatMap(({ gate }) => (gate === undefined ? [] : [gate]));
  const [label, name] = nameTool(source, kind, writing.own);
  const fields =
    'savedAs' in source
      ? fieldsOfGiven(source, writing)
      : 'tool' in source
        ? fieldsOfCalls(uses, name!, writing)
        : kind === 'transfer'
          ? fieldsOfTransfers(uses, writing)
          : fieldsOfNode(source, name, [texts, leads], writing);
  if (fields === null) return null;
  const refusesItself = fields['rejectionPlan'] !== undefined;
  const all: Fields = refusesItself
    ? fields
    : { ...fields, rejectionPlan: rejectionPlanFor(gates) };
  const value = Object.fromEntries(
    Object.entries(all).flatMap(([key, it]) => (it === undefined ? [] : [[key, it] as const])),
  );
  const isDescribed = 'request' in source && source.request?.description != null;
  return { key, kind, texts, label, name, at: source.at, value, isDescribed, refusesItself };
}

/** Its label, and its name if it has one. */
function nameTool(
  source: NonNullable<Use['source']>,
  kind: Kind,
  { calledAs }: MemberFacts,
): readonly [string, string | null] {
  if ('savedAs' in source) return [source.name, source.name];
  if ('tool' in source) return [source.tool, toToolName(source.tool)];
  if (kind !== 'request') return [source.id, null];
  return [source.id, calledAs(source.index) ?? nameOfRequest(source)];
}

/** Several texts as one description. */
const described = (texts: readonly ir.Text[]) =>
  [...new Set(texts.map(({ value }) => value))].join('; or ');

/** As the source has it, except for what the model provides. */
function fieldsOfGiven(tool: ir.GivenTool, writing: Writing): Fields | null {
  if (tool.value === null) return null;
  const { value } = tool.value;
  const fields = { ...value, ...sentByGiven(value, writing.own.filledFor(tool)) };
  return withoutTold(fields, tool, writing);
}

/** It is asked to confirm the values: with what the caller said, it responds with each. */
function fieldsOfCalls(uses: readonly Use[], name: string, { captureOf }: Writing): Fields {
  const calls = uses.flatMap(({ source }) => (source && 'tool' in source ? source : []));
  const variables = [...new Set(calls.flatMap((call) => call.variables))];
  const description = `Gives the confirmed value of ${enumerate(variables)}.`;
  const properties = variables.map((variable) => {
    const { type = 'string', description: said } = captureOf.get(variable) ?? {};
    return [variable, { type, description: said?.value ?? variable }];
  });
  const parameters = { type: 'object', properties: Object.fromEntries(properties), required: [] };
  const aliases = variables.map((key) => ({ key, value: `{{ $.${key} }}` }));
  const declared = { name, description, parameters };
  return { type: 'function', function: declared, variableExtractionPlan: { aliases } };
}

/** Each field by itself, from the node. */
function fieldsOfNode(
  node: ir.WorkflowNode,
  name: string | null,
  [texts, leads]: readonly [readonly ir.Text[], readonly ir.Text[]],
  writing: Writing,
): Fields | null {
  const { shape } = writing;
  const { request, role } = node;
  if (role === 'exit') {
    const [line] = linesOfTool(node);
    if (line === undefined || writing.own.isTold(line)) return { type: 'endCall' };
    return { type: 'endCall', messages: [{ ...node.lineBy!.value, content: line.value }] };
  }
  if (request === null) return null;
  const { headers, description, passed } = request;
  const said = [...(description === null ? leads : [description]), ...texts];
  const fields = {
    type: 'apiRequest',
    name,
    description: said.length === 0 ? `for “${name}”` : described(said),
    url: request.url?.value,
    method: request.method?.value,
    headers: headers === null || !shape.hasSchemas ? headers?.value : headersSchema(headers.value),
    timeoutSeconds: request.timeoutSeconds?.value,
    credentialId: request.credentialId?.value,
    ...valuesOf(passed),
    ...sentBy(request, shape, writing.own.filledFor(request)),
    ...keptBy(request, shape),
  };
  return withoutTold(fields, request, writing);
}

/** A destination for each number, whatever leads to it. */
function fieldsOfTransfers(uses: readonly Use[], { shape, own }: Writing): Fields {
  const ends = uses.flatMap(({ source, text }) =>
    transfersOf(source as ir.WorkflowNode).map((transfer) => ({ transfer, when: text! })),
  );
  const byEnd = groupBy(ends, ({ transfer }) => destinationKey(transfer));
  const destinations = Array.from(byEnd.values(), (same): Json => {
    const { destination, message, passed } = same[0]!.transfer;
    const { value } = destination!;
    const when = described(same.map((it) => it.when));
    const purpose = described(same.flatMap(({ transfer }) => transfer.description ?? []));
    // The platform rejects a number that is not E.164 unless the check is turned off.
    const isOdd = shape.checksTransfers && value.type === 'number' && !isE164(value.number);
    const isTold = same.some(({ transfer }) => transfer.message && own.isTold(transfer.message));
    return {
      ...value,
      ...(isTold ? { message: '' } : message && { message: message.value }),
      description: purpose === '' ? when : `${when} (${purpose})`,
      ...valuesOf(passed),
      ...(isOdd && { numberE164CheckEnabled: false }),
    };
  });
  const { messages } = ends[0]!.transfer;
  return { type: 'transferCall', destinations, messages: messages?.value };
}

/** Headers as a schema; the keywords that fix a value are those that dashboards write. */
function headersSchema(headers: JsonObject): Json {
  if (isSchema(headers)) return schemaOf(headers, ['value', 'default', 'const']);
  const fixed = Object.entries(headers).map(([key, value]) => [
    key,
    { type: 'string', value: textOf(value) },
  ]);
  return { type: 'object', properties: Object.fromEntries(fixed) };
}

function valuesOf(settings: readonly ir.NamedSetting[]): JsonObject {
  return Object.fromEntries(settings.map(({ key, value }) => [key, value.value]));
}

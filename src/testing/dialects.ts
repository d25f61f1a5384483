/**
 * Rewrites a workflow of the specification's shape in another dialect.
 *
 * In: a workflow from the generators. Out: a document with the same meaning (`rewriteAs`), and the
 * workflow of the specification's shape that it equals (`asRead`): compiled with the same answers,
 * both give the same squad byte for byte. Numbers choose among forms with the same meaning: an edge
 * without a condition has none or an empty one, an empty list of choices is empty or missing.
 *
 * What `asRead` changes, because the dialect cannot express it:
 * - Exports have one name per node, so it is both name and id; a request has its tool's name beside
 *   it, except where squadc itself mentions the node (a start, a global node). Exports have no
 *   `gather`: it is a conversation that extracts. Headers can be a schema.
 * - Responses of the API have both, so a node without a name has its id as its name.
 * - Older tasks gather exactly where something is extracted.
 * - Properties of a schema have no order: extracted variables are sorted by name.
 */
import { wheel } from './pick.js';
import {
  isTalk,
  type SpecNode,
  type SpecWorkflow,
  saidCondition,
  startCandidates,
} from './spec-workflow.js';

/**
 * The shapes that a workflow can be written in, besides that of the specification: as the platform
 * exports it; with captures as a schema; as the API returns it; as older tasks; and any of these
 * inside `{ workflow }`.
 */
export const dialects = ['export', 'schema', 'response', 'tasks', 'wrapped'] as const;
/** One of the shapes that a workflow can be written in. */
export type DialectName = (typeof dialects)[number];

/** Every dialect except the wrapper, which contains one of these. */
type BareDialect = Exclude<DialectName, 'wrapped'>;

/** An object of the rewritten document. */
type Written = Record<string, unknown>;

/** Chooses among forms with the same meaning, by the place and the numbers only. */
type Draw = <T>(forms: readonly T[], place: number) => T;

/** The workflow in this dialect. */
export function rewriteAs(
  workflow: SpecWorkflow,
  dialect: DialectName,
  numbers: readonly number[] = [],
): Written {
  const bare = unwrapped(dialect, numbers);
  const read = asRead(workflow, dialect, numbers);
  const [only, ...others] = startCandidates(read);
  const start = others.length === 0 ? only : undefined;
  const write = bare === 'tasks' ? writeTasks : writeExport;
  const document = write(read, start, drawing(numbers), bare);
  // Removes undefined fields.
  return JSON.parse(JSON.stringify(dialect === 'wrapped' ? { workflow: document } : document));
}

/** What a reader finds in `rewriteAs` of the same arguments, in the specification's shape. */
export function asRead(
  workflow: SpecWorkflow,
  dialect: DialectName,
  numbers: readonly number[] = [],
): SpecWorkflow {
  const bare = unwrapped(dialect, numbers);
  const draw = drawing(numbers);
  const keyed = bare === 'export' || bare === 'schema' ? keyedByName(workflow) : workflow;
  const nodes = keyed.nodes.map((given, index): SpecNode => {
    const node = { ...given };
    if (bare === 'response') node.name ??= node.id;
    if (isTalk(node)) {
      const gathers = bare === 'tasks' && node.extractVariables !== undefined;
      node.type = gathers ? 'gather' : 'conversation';
    }
    if (node.extractVariables && (bare === 'tasks' || bare === 'schema'))
      node.extractVariables = node.extractVariables.toSorted((a, b) => (a.name < b.name ? -1 : 1));
    return bare === 'tasks' ? node : withHeaders(node, index, draw);
  });
  return { ...keyed, nodes };
}

function unwrapped(dialect: DialectName, numbers: readonly number[]): BareDialect {
  const bare = dialects.filter((name) => name !== 'wrapped');
  return dialect === 'wrapped' ? wheel(bare, numbers[0] ?? 0) : dialect;
}

/** Without numbers, always the first form. */
function drawing(numbers: readonly number[]): Draw {
  return (forms, place) => wheel(forms, wheel(numbers.length > 0 ? numbers : [0], place));
}

/**
 * A node's only name is its own name if no other node has it as name or id, otherwise its id. Names
 * that differ only in Unicode composition look the same.
 */
function keyedByName(workflow: SpecWorkflow): SpecWorkflow {
  const starts = startCandidates(workflow);
  const named = workflow.nodes.map(({ name, ...node }, index) => {
    const { id, type, isGlobal } = node;
    // Requests that are not global and that no answer makes the start.
    const canBeStart = starts.length === 0 || starts.includes(index);
    const isOfTool = type === 'apiRequest' && !isGlobal && !canBeStart;
    // No reader takes these for the name of a node.
    const isName = name && !/^(?:__proto__|constructor|prototype)$/.test(name) && !isOfTool;
    const kept = isOfTool && name !== undefined ? { name } : {};
    return { node: { ...node, ...kept }, wanted: isName ? name : id };
  });
  const labels = named.flatMap(({ node, wanted }) => [
    ...new Set([node.id, wanted].map((label) => label.normalize('NFC'))),
  ]);
  const keyOf = new Map(
    named.map(({ node: { id }, wanted }) => {
      const bearers = labels.filter((label) => label === wanted.normalize('NFC'));
      return [id, bearers.length === 1 ? wanted : id];
    }),
  );
  const nodes = named.map(({ node }): SpecNode => ({ ...node, id: keyOf.get(node.id)! }));
  const edges = workflow.edges.map((edge) => {
    return { ...edge, from: keyOf.get(edge.from)!, to: keyOf.get(edge.to)! };
  });
  return { ...workflow, nodes, edges };
}

/** Plain headers, or a schema that fixes each of them, as the platform and its editor write it. */
function withHeaders(node: SpecNode, index: number, draw: Draw): SpecNode {
  const { headers } = node;
  if (headers === undefined || headers['properties'] !== undefined) return node;
  const properties = Object.entries(headers).map(([header, value]) => [
    header,
    { type: 'string', ...draw<object>([{ enum: [value] }, { value }], index) },
  ]);
  const schema = { type: 'object', properties: Object.fromEntries(properties) };
  return { ...node, headers: draw([schema, headers], index + 1) };
}

/**
 * Exports of the platform, and responses of its API, with the id beside the name. A node is a
 * `conversation`, a `tool` with its tool inline, or a `hangup`; all of them may be global and may
 * have instructions. `start` is where calls begin, if only one node can be the start.
 */
function writeExport(
  workflow: SpecWorkflow,
  start: number | undefined,
  draw: Draw,
  dialect: BareDialect,
): Written {
  const isResponse = dialect === 'response';
  const nodes = workflow.nodes.map((node, index) => {
    const { id, name, ...fields } = exportNode(node, index, dialect, draw);
    const key = isResponse ? { id, name } : { name: id };
    return { ...key, ...fields, isStart: index === start || undefined };
  });
  const edges = workflow.edges.map(({ from, to, condition: text, note }, index) => {
    const ends = isResponse ? { source: from, target: to } : { from, to };
    const forms = (said: string) => [{ type: 'ai', prompt: said }, ...asLogic(said)];
    const condition = conditionOf(text, index, draw, forms);
    return { ...ends, condition, note, metadata: positionOf(index) };
  });
  const stored = {
    id: '6f1c2a52-1111-4222-8333-944455556666',
    orgId: 'a7d0c1b2-1111-4222-8333-944455556666',
    createdAt: '2025-06-01T09:30:00.000Z',
    updatedAt: '2025-06-02T10:00:00.000Z',
  };
  return { ...(isResponse && stored), ...workflow, nodes, edges };
}

/**
 * Older tasks. A task does one thing: one that only speaks or only instructs is a `say`, one that
 * extracts a `gather`, and one that both speaks and instructs a conversation as documented. A node
 * that does nothing leads to the start; the first node is not always the start.
 */
function writeTasks(workflow: SpecWorkflow, start: number | undefined, draw: Draw): Written {
  const nodes = workflow.nodes.map((node, index) => taskNode(node, index, draw));
  const edges: Written[] = workflow.edges.map(({ from, to, condition, note }, index) => {
    const forms = (text: string) => {
      const sentence = { type: 'ai', matches: [text] };
      const logic = asLogic(text);
      return logic.length > 0 ? [...logic, text, sentence] : [sentence, text];
    };
    return { from, to, condition: conditionOf(condition, index, draw, forms), note };
  });
  if (start === undefined) return { ...workflow, nodes, edges };
  let id = 'start';
  while (workflow.nodes.some((node) => node.id === id)) id += '!';
  const first = { from: id, to: workflow.nodes[start]!.id };
  return { ...workflow, nodes: [{ id, type: 'start' }, ...nodes], edges: [first, ...edges] };
}

/** The position in the platform's editor, which has no meaning. */
const positionOf = (index: number): Written => ({ position: { x: 120 * index, y: 40 } });

function conditionOf(
  text = '',
  index: number,
  draw: Draw,
  formsOf: (text: string) => readonly unknown[],
): unknown {
  const empty = [undefined, { type: 'ai', prompt: text }];
  return draw(saidCondition(text) === undefined ? empty : formsOf(text), index);
}

/** The text marked as an expression, if it is one in any form. */
function asLogic(text: string): Written[] {
  const isComparison = /^\s*[A-Za-z_]\w* == '[^'{}%]*'\s*$/.test(text);
  const isLiquid = /^\s*\{% if [^{}%]*%\}[^{}%]*\{% endif %\}\s*$/.test(text);
  return isComparison || isLiquid ? [{ type: 'logic', liquid: text }] : [];
}

function exportNode(node: SpecNode, index: number, dialect: BareDialect, draw: Draw) {
  const { id, name, type, firstMessage, isGlobal, condition, extractVariables: list } = node;
  // The line before a transfer can be a message of its tool. A request's message fills the wait, and
  // what the tool says that ends the call stays with the tool: their nodes' lines stay with the node.
  const isTransfer = type === 'transferCall' && firstMessage !== undefined;
  const isSaidByTool = isTransfer && draw([true, false], index);
  const messages = isSaidByTool ? [{ type: 'request-start', content: firstMessage }] : undefined;
  const tool = toolOf(node, messages, draw([undefined, id], index));
  const listed = list?.map(({ name: title, enum: choices, ...rest }, at) => {
    return { title, ...rest, enum: choices ?? draw([[], undefined], at) };
  });
  const plan = dialect === 'schema' ? { schema: captureSchema(list, draw) } : { output: listed };
  // A node that is not global may have a disabled plan.
  const off = type === 'conversation' ? { enabled: false, enterCondition: '' } : undefined;
  return {
    id,
    name,
    type: tool === undefined ? type : 'tool',
    tool,
    prompt: node.systemPrompt,
    messagePlan: firstMessage === undefined || isSaidByTool ? undefined : { firstMessage },
    variableExtractionPlan: isTalk(node) && list ? plan : undefined,
    globalNodePlan: isGlobal
      ? { enabled: true, enterCondition: condition }
      : draw([undefined, off], index),
    metadata: positionOf(index),
    ...settingsOf(node),
  };
}

/** Fields that are equal in all dialects: settings, and one that no dialect knows. */
function settingsOf({ note, model, voice, transcriber }: SpecNode): Written {
  return { model, voice, transcriber, note };
}

/** The tool of a node that neither talks nor hangs up; a request may have the given name. */
function toolOf(node: SpecNode, messages: unknown, name: string | undefined): Written | undefined {
  const { type, transferPlan } = node;
  if (type === 'apiRequest') return { type, name: node.name ?? name, ...requestOf(node) };
  if (type === 'endCall') return { type, messages };
  if (type !== 'transferCall') return undefined;
  // A transfer with a message and no number is a destination without one.
  const numberless = transferPlan ? [{ type: 'number', message: transferPlan.message }] : [];
  const destination = destinationOf(node);
  return { type, destinations: destination ? [destination] : numberless, messages };
}

/** What is sent, where to, and what is taken from the response. */
function requestOf(node: SpecNode): Written {
  const { url, method, headers, body, timeoutSeconds, responseVariables, messages } = node;
  const aliases = responseVariables?.map(({ name, path }) => ({
    key: name,
    value: `{{ $.${path.replace(/^\$\.?/, '')} }}`,
  }));
  const variableExtractionPlan = aliases && { aliases };
  return { url, method, headers, body, timeoutSeconds, variableExtractionPlan, messages };
}

/** The destination of a transfer; undefined if the workflow has none. */
function destinationOf({ destination, transferPlan }: SpecNode): Written | undefined {
  if (destination === undefined) return undefined;
  const address = /^sips?:/i.test(destination)
    ? { type: 'sip', sipUri: destination }
    : { type: 'number', number: destination };
  return { ...address, message: transferPlan?.message };
}

/** A schema with a property for each variable; `required` has no effect on extraction. */
function captureSchema(captures: SpecNode['extractVariables'] = [], draw: Draw): Written {
  const names = captures.map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(captures.map(({ name, ...rest }) => [name, rest])),
    required: draw([undefined, names], captures.length),
  };
}

function taskNode(node: SpecNode, index: number, draw: Draw): Written {
  const { id, name, isGlobal, condition, firstMessage, systemPrompt } = node;
  const { type, ...work } = workOf(node, draw);
  // Early documents capitalized these types.
  const isOld = /^(?:say|gather|transfer|apiRequest|hangup)$/.test(type);
  const written = isOld ? draw([type, type[0]!.toUpperCase() + type.slice(1)], index) : type;
  const spoken = type === 'say' ? {} : { firstMessage, systemPrompt };
  const fields = { ...spoken, ...work, isGlobal, condition, ...settingsOf(node) };
  return { id, name, type: written, ...fields };
}

/** The task that does the work of the node, and what it needs. */
function workOf(node: SpecNode, draw: Draw): Written & { readonly type: string } {
  const { type, transferPlan, extractVariables, firstMessage, systemPrompt } = node;
  if (type === 'apiRequest') return { type, mode: 'blocking', ...requestOf(node) };
  if (type === 'transferCall') {
    const destination = destinationOf(node);
    return { type: 'transfer', ...(destination ? { destination } : { transferPlan }) };
  }
  if (!isTalk(node)) return { type };
  if (extractVariables) return { type: 'gather', output: captureSchema(extractVariables, draw) };
  const isWhole = (firstMessage === undefined) === (systemPrompt === undefined);
  return isWhole
    ? { type: 'conversation' }
    : { type: 'say', exact: firstMessage, prompt: systemPrompt };
}

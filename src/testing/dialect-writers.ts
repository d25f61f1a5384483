/**
 * Writers of the dialects: exports of the platform (and responses of its API), and older tasks.
 *
 * In: a workflow that fits the dialect (dialects.ts). Out: its document. An export's node is a
 * `conversation`, a `tool` with its tool inline, or a `hangup`; all of them may be global and may have
 * instructions. A task does one thing: what only speaks or only instructs is a `say`, what extracts a
 * `gather`, and what does both speak and instruct a conversation as the documentation writes it.
 */
import {
  isTalk,
  type SpecNode,
  type SpecWorkflow,
  saidCondition,
} from '../simulator/spec-workflow.js';

/** An object of the rewritten document. */
export type Written = Record<string, unknown>;

/** Draws among forms that mean the same: the form at a place depends on the numbers alone. */
export type Draw = <T>(forms: readonly T[], place: number) => T;

/** A workflow as a dialect holds it; `start` is the node where calls begin, if only one can be it. */
export type Write = (workflow: SpecWorkflow, start: number | undefined, draw: Draw) => Written;

/** Captures as a list or as a schema; nodes with names only, or with the id beside it. */
export function writeExport(captures: 'list' | 'schema', keyedBy: 'name' | 'id'): Write {
  return (workflow, start, draw) => {
    const nodes = workflow.nodes.map((node, index) => {
      const { id, name, ...fields } = exportNode(node, index, captures, draw);
      const key = keyedBy === 'id' ? { id, name } : { name: id };
      return present({ ...key, ...fields, isStart: index === start || undefined });
    });
    const edges = workflow.edges.map(({ from, to, condition: text, note }, index) => {
      const ends = keyedBy === 'id' ? { source: from, target: to } : { from, to };
      const condition = conditionOf(text, index, draw, (said) => [
        { type: 'ai', prompt: said },
        ...asLogic(said),
      ]);
      return present({ ...ends, condition, note, metadata: positionOf(index) });
    });
    return { ...workflow, nodes, edges };
  };
}

/** A node that does nothing leads to the start; the first node is not always where a call begins. */
export const writeTasks: Write = (workflow, start, draw) => {
  const nodes = workflow.nodes.map((node, index) => taskNode(node, index, draw));
  const edges: Written[] = workflow.edges.map(({ from, to, condition, note }, index) => {
    const forms = (text: string): (Written | string)[] => {
      const logic = asLogic(text);
      const sentence = { type: 'ai', matches: [text] };
      return logic.length > 0 ? [...logic, text, sentence] : [sentence, text];
    };
    return present({ from, to, condition: conditionOf(condition, index, draw, forms), note });
  });
  if (start === undefined) return { ...workflow, nodes, edges };
  let id = 'start';
  while (workflow.nodes.some((node) => node.id === id)) id += '!';
  const first = { from: id, to: workflow.nodes[start]!.id };
  return { ...workflow, nodes: [{ id, type: 'start' }, ...nodes], edges: [first, ...edges] };
};

/** The fields that say something; one that is missing stays missing. */
function present(fields: Readonly<Written>): Written {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** Where the platform's editor drew the thing; it means nothing. */
function positionOf(index: number): Written {
  return { position: { x: 120 * index, y: 40 } };
}

function conditionOf<T>(
  text: string | undefined,
  index: number,
  draw: Draw,
  formsOf: (text: string) => readonly T[],
): T | Written | undefined {
  if (text !== undefined && saidCondition(text) !== undefined) return draw(formsOf(text), index);
  return draw([undefined, { type: 'ai', prompt: text ?? '' }], index);
}

/** The text marked as an expression, where it is one anyway: in whatever form, it is logical. */
function asLogic(text: string): Written[] {
  const isComparison = /^\s*[A-Za-z_]\w* == '[^'{}%]*'\s*$/.test(text);
  const isLiquid = /^\s*\{% if [^{}%]*%\}[^{}%]*\{% endif %\}\s*$/.test(text);
  return isComparison || isLiquid ? [{ type: 'logic', liquid: text }] : [];
}

function exportNode(node: SpecNode, index: number, captures: 'list' | 'schema', draw: Draw) {
  const { id, name, type, firstMessage, isGlobal, condition, extractVariables: list } = node;
  // What is said on entering a node that ends the call can be a message of its tool; that of a
  // request is what fills the wait, so its node's line stands with the node.
  const isEnd = type === 'transferCall' || type === 'endCall';
  const isSaidByTool = isEnd && draw([true, false], index) && firstMessage !== undefined;
  const messages = isSaidByTool ? [{ type: 'request-start', content: firstMessage }] : undefined;
  const tool = toolOf(node, messages, draw([undefined, id], index));
  const listed = list?.map(({ name: title, enum: choices, ...rest }, at) =>
    present({ title, ...rest, enum: choices ?? draw([[], undefined], at) }),
  );
  const plan = captures === 'list' ? { output: listed } : { schema: captureSchema(list, draw) };
  // A node that is not global may have a plan that is switched off.
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
      ? present({ enabled: true, enterCondition: condition })
      : draw([undefined, off], index),
    metadata: positionOf(index),
    ...settingsOf(node),
  };
}

/** Fields that all dialects have alike: settings, and one that none of them knows. */
function settingsOf({ note, model, voice, transcriber }: SpecNode): Written {
  return { model, voice, transcriber, note };
}

/** The tool of a node that neither talks nor hangs up; a request may bear the given name. */
function toolOf(node: SpecNode, messages: unknown, name: string | undefined): Written | undefined {
  const { type, transferPlan } = node;
  if (type === 'apiRequest') return present({ type, name: node.name ?? name, ...requestOf(node) });
  if (type === 'endCall') return present({ type, messages });
  if (type !== 'transferCall') return undefined;
  // A transfer that has a message and no number is a destination without one.
  const numberless = transferPlan ? [{ type: 'number', message: transferPlan.message }] : [];
  const destination = destinationOf(node);
  return present({ type, destinations: destination ? [destination] : numberless, messages });
}

/** What is sent, where to, and what is taken from the response. */
function requestOf(node: SpecNode): Written {
  const { url, method, headers, body, timeoutSeconds, responseVariables } = node;
  const aliases = responseVariables?.map(({ name, path }) => ({
    key: name,
    value: `{{ $.${path.replace(/^\$\.?/, '')} }}`,
  }));
  const variableExtractionPlan = aliases && { aliases };
  return { url, method, headers, body, timeoutSeconds, variableExtractionPlan };
}

/** Where a call is put through to; undefined where the workflow does not say. */
function destinationOf({ destination, transferPlan }: SpecNode): Written | undefined {
  if (destination === undefined) return undefined;
  const address = /^sips?:/i.test(destination)
    ? { type: 'sip', sipUri: destination }
    : { type: 'number', number: destination };
  return present({ ...address, message: transferPlan?.message });
}

/** A schema with a property for each variable; `required` says nothing that an extraction keeps. */
function captureSchema(captures: SpecNode['extractVariables'] = [], draw: Draw): Written {
  const properties = captures.map(({ name, ...rest }) => [name, rest]);
  const names = captures.map(({ name }) => name);
  return present({
    type: 'object',
    properties: Object.fromEntries(properties),
    required: draw([undefined, names], captures.length),
  });
}

/** Types that the first documents began with a capital. */
const capitalised = ['say', 'gather', 'transfer', 'apiRequest', 'hangup'];

function taskNode(node: SpecNode, index: number, draw: Draw): Written {
  const { id, name, isGlobal, condition, firstMessage, systemPrompt } = node;
  const { type, ...work } = workOf(node, draw);
  const capital = type.slice(0, 1).toUpperCase() + type.slice(1);
  const written = capitalised.includes(type) ? draw([type, capital], index) : type;
  const spoken = type === 'say' ? {} : { firstMessage, systemPrompt };
  const fields = { ...spoken, ...work, isGlobal, condition, ...settingsOf(node) };
  return present({ id, name, type: written, ...fields });
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

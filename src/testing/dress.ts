/** Gives the nodes and edges of a sketch their texts, captures, reads, settings and gaps. */
import { hostileVariables, type Mischief, makeHostile } from './hostile-texts.js';
import type { Sketch, SketchNode } from './sketch.js';
import {
  isExit,
  isTalk,
  nth,
  type SpecEdge,
  type SpecNode,
  type SpecWorkflow,
  wheel,
} from './spec-workflow.js';

/** What nodes and edges hold beside their unique texts; numbers are taken modulo. */
export interface Trimmings {
  /** Four bits per node: first message, prompt of a tool or an exit, name, no global condition. */
  readonly features: readonly number[];
  readonly gaps: readonly { readonly at: number; readonly other: number }[];
  readonly captures: readonly CaptureTrimming[];
  readonly reads: readonly ReadTrimming[];
  /** Bits: global prompt, voice, model, an unknown field of workflow, node and edge. */
  readonly settings: number;
  /** Whether texts and ids are full of characters that are easy to get wrong. */
  readonly strange: boolean;
  /** What is done to texts, names and ids to mislead a reader. */
  readonly hostile: readonly Mischief[];
}

interface CaptureTrimming {
  readonly at: number;
  readonly variable: number;
  readonly other: number;
}

interface ReadTrimming {
  readonly at: number;
  readonly place: 'node' | 'edge' | 'expression' | 'global';
  readonly variable: number;
  readonly other: number;
}

const variables = ['alpha', 'beta', 'gamma'];
const strangeEnds = [' "Quoted", she said', '\n\n# Not a heading\n', ' $& $1 %s', ' 𝄞 é', '  '];
const strangeIds = ['', '/a', '~1', ' é', '"', '𝄞'];

/** The workflow of a sketch. */
export function dress(sketch: Sketch, trimmings: Trimmings): SpecWorkflow {
  const ids = sketch.nodes.map((_, index) => idOf(index, trimmings));
  const nodes = sketch.nodes.map((_, index) =>
    plainNode(sketch, nth(ids, index), index, trimmings),
  );
  const edges = sketch.edges.map(({ from, to, conditioned, like }): SpecEdge => {
    const text = strange(`c${like} is wanted`, like, trimmings);
    const ends = { from: nth(ids, from), to: nth(ids, to) };
    return conditioned ? { ...ends, condition: text } : ends;
  });
  const captured = addCaptures(sketch, nodes, trimmings);
  addReads(sketch, nodes, edges, captured, trimmings);
  addGaps(sketch, nodes, trimmings);
  const workflow = addSettings({ name: 'Generated', nodes, edges }, trimmings.settings);
  const likes = ({ like }: { readonly like: number }): number => like;
  const like = { nodes: sketch.nodes.map(likes), edges: sketch.edges.map(likes) };
  return makeHostile(workflow, like, trimmings.hostile);
}

function idOf(index: number, trimmings: Trimmings): string {
  return `n${index}${trimmings.strange ? wheel(strangeIds, index + trimmings.settings) : ''}`;
}

function strange(text: string, number: number, trimmings: Trimmings): string {
  return trimmings.strange ? text + wheel(strangeEnds, number + trimmings.settings) : text;
}

function plainNode(sketch: Sketch, id: string, index: number, trimmings: Trimmings): SpecNode {
  const { type, isGlobal, like } = nth(sketch.nodes, index);
  const features = trimmings.features[like] ?? 0;
  const text = (start: string): string => strange(`${start} n${like}.`, like, trimmings);
  const node: SpecNode = { id, type };
  if ((features & 1) > 0) node.firstMessage = text('Hello from');
  if (isTalk(node) || (features & 2) > 0) node.systemPrompt = text('Do the work of');
  if ((features & 4) > 0 && isTalk(node)) node.name = wheel(['Desk', `Stage ${index}`], features);
  if (isGlobal) {
    node.isGlobal = true;
    if ((features & 8) === 0) node.condition = text('the caller needs');
  }
  if (type === 'apiRequest') Object.assign(node, requestOf(like, features));
  if (type === 'transferCall') {
    node.destination = `+1415555${String(1000 + like)}`;
    node.transferPlan = { message: text('Putting you through from') };
  }
  return node;
}

function requestOf(like: number, features: number): Partial<SpecNode> {
  return {
    url: `https://api.example.com/n${like}`,
    method: (features & 8) > 0 ? 'POST' : 'GET',
    headers: { Authorization: 'Bearer sample' },
    ...((features & 4) > 0 ? { name: `request_${like}` } : {}),
  };
}

/** Every node with these texts. */
function alike(sketch: Sketch, nodes: readonly SpecNode[], like: number): SpecNode[] {
  const same = ({ like: other }: SketchNode): boolean => other === like;
  return sketch.nodes.flatMap((node, index) => (same(node) ? [nth(nodes, index)] : []));
}

/** Returns the names that something sets. */
function addCaptures(sketch: Sketch, nodes: SpecNode[], trimmings: Trimmings): string[] {
  const captured: string[] = [];
  const names = trimmings.hostile.length > 0 ? hostileVariables : variables;
  for (const { at, variable, other } of trimmings.captures) {
    const name = wheel(names, variable);
    const setters = sketch.indices((node) => isTalk(node) === other % 3 > 0 && !isExit(node));
    if (setters.length === 0) continue;
    const { like } = nth(sketch.nodes, wheel(setters, at));
    for (const node of alike(sketch, nodes, like)) {
      const description = `the ${name} of n${like}`;
      if (isTalk(node)) {
        node.extractVariables ??= [];
        if (node.extractVariables.some((each) => each.name === name)) continue;
        const type = wheel(['string', 'string', 'number', 'boolean'] as const, other);
        const values = type === 'string' && other >= 8 ? { enum: ['yes', 'no'] } : {};
        node.extractVariables.push({ name, type, description, ...values });
      } else {
        node.responseVariables ??= [];
        if (node.responseVariables.some((each) => each.name === name)) continue;
        node.responseVariables.push({ name, type: 'string', description, path: `data.${name}` });
      }
      captured.push(name);
    }
  }
  return captured;
}

function addReads(
  sketch: Sketch,
  nodes: SpecNode[],
  edges: SpecEdge[],
  captured: readonly string[],
  trimmings: Trimmings,
): void {
  if (captured.length === 0) return;
  for (const { at, place, variable, other } of trimmings.reads) {
    const name = wheel(captured, variable);
    if (place === 'node') {
      const text = wheel(sketch.nodes, at).like;
      for (const node of alike(sketch, nodes, text)) readIn(node, name, other, text);
    } else if (place === 'global') {
      readInGlobal(nodes, name, at);
    } else if (edges.length > 0) {
      const { like } = wheel(sketch.edges, at);
      for (const [index, edge] of edges.entries()) {
        if (nth(sketch.edges, index).like !== like) continue;
        if (place === 'expression') edge.condition = `${name} == 'c${like}'`;
        else edge.condition = `${edge.condition ?? `c${like} is wanted`} and {{${name}}} fits`;
      }
    }
  }
}

function readIn(node: SpecNode, name: string, other: number, like: number): void {
  if (isTalk(node) && other % 3 > 0) {
    node.systemPrompt = `${node.systemPrompt ?? ''} Use {{ ${name}${other > 3 ? ' | upcase' : ''} }}.`;
  } else if (node.type === 'apiRequest' && other % 3 === 1) {
    node.headers = { ...node.headers, 'X-Note': `{{${name}}}` };
  } else if (node.type === 'apiRequest' && other % 3 === 2) {
    const note = { type: 'string', description: `A note on {{${name}}}` };
    node.body = { type: 'object', properties: { note } };
  } else if (node.type === 'apiRequest') {
    node.url = `${node.url ?? ''}?q={{${name}}}`;
  } else if (node.transferPlan) {
    node.transferPlan.message += ` {{${name}}}`;
  } else {
    node.firstMessage = `${node.firstMessage ?? `Welcome to n${like}.`} Is it {{${name}}}?`;
  }
}

function readInGlobal(nodes: readonly SpecNode[], name: string, at: number): void {
  const conditions = nodes.filter(({ condition }) => condition !== undefined);
  if (conditions.length === 0) return;
  const node = wheel(conditions, at);
  node.condition = `${node.condition} about {{${name}}}`;
}

function addGaps(sketch: Sketch, nodes: SpecNode[], trimmings: Trimmings): void {
  for (const { at, other } of trimmings.gaps) {
    for (const node of alike(sketch, nodes, wheel(sketch.nodes, at).like)) {
      if (node.type === 'transferCall') delete node.destination;
      else if (node.type !== 'apiRequest')
        node.systemPrompt = `${node.systemPrompt ?? 'Ask for'} {{omega}}`;
      else if (other % 3 === 0) delete node.url;
      else if (other % 3 === 1) delete node.headers;
      else delete node.method;
    }
  }
}

function addSettings(workflow: SpecWorkflow, settings: number): SpecWorkflow {
  if (settings % 8 === 1) workflow.globalPrompt = 'Be brief and kind.';
  if (settings % 8 === 2) workflow.voice = { provider: 'acme', voiceId: 'v1', version: 2 };
  if (settings % 8 === 3) workflow.model = { provider: 'anthropic', model: 'claude' };
  if (settings % 8 === 4) workflow.note = { kept: [1, null] };
  if (settings % 8 === 5) nth(workflow.nodes, 0).note = 'about a node';
  const edge = workflow.edges[0];
  if (settings % 8 === 6 && edge) edge.note = ['about', 'an edge'];
  return workflow;
}

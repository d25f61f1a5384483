/** Gives the nodes and edges of a sketch their texts, captures, reads, settings and gaps. */
import {
  isExit,
  isTalk,
  type SpecEdge,
  type SpecNode,
  type SpecWorkflow,
} from '../simulator/spec-workflow.js';
import { hostileVariables, type Mischief, makeHostile } from './hostile-texts.js';
import { nth, wheel } from './pick.js';
import type { Sketch } from './sketch.js';

/** What nodes and edges hold beside their unique texts; numbers are taken modulo. */
export interface Trimmings {
  /** Four bits per node: first message, prompt of a tool or an exit, name, no global condition. */
  readonly features: readonly number[];
  readonly gaps: readonly { readonly at: number; readonly other: number }[];
  readonly captures: readonly { at: number; variable: number; other: number }[];
  readonly reads: readonly {
    readonly at: number;
    readonly place: 'node' | 'edge' | 'expression' | 'global';
    readonly variable: number;
    readonly other: number;
  }[];
  /** Which of the settings below. */
  readonly settings: number;
  /** Whether texts and ids are full of characters that are easy to get wrong. */
  readonly strange: boolean;
  /** What is done to texts, names and ids to mislead a reader. */
  readonly hostile: readonly Mischief[];
}

const variables = ['alpha', 'beta', 'gamma'];
const strangeEnds = [' "Quoted", she said', '\n\n# Not a heading\n', ' $& $1 %s', ' 𝄞 é', '  '];
const strangeIds = ['', '/a', '~1', ' é', '"', '𝄞'];

const settings: readonly ((workflow: SpecWorkflow) => object)[] = [
  () => ({}),
  () => ({ globalPrompt: 'Be brief and kind.' }),
  () => ({ voice: { provider: 'acme', voiceId: 'v1', version: 2 } }),
  () => ({ model: { provider: 'anthropic', model: 'claude' } }),
  () => ({ note: { kept: [1, null] } }),
  ({ nodes: [first, ...rest] }) => ({ nodes: [{ ...first, note: 'about a node' }, ...rest] }),
  ({ edges: [first, ...rest] }) =>
    first ? { edges: [{ ...first, note: ['about', 'an edge'] }, ...rest] } : {},
  () => ({}),
];

/** The workflow of a sketch. */
export function dress(sketch: Sketch, trimmings: Trimmings): SpecWorkflow {
  const odd = <T>(ends: readonly T[], number: number, none: T): T =>
    trimmings.strange ? wheel(ends, number + trimmings.settings) : none;
  const textOf = (text: string, like: number): string => text + odd(strangeEnds, like, '');
  const idOf = (index: number): string => `n${index}${odd(strangeIds, index, '')}`;
  const nodes = sketch.nodes.map((_, index) =>
    plainNode(sketch, index, idOf(index), trimmings.features, textOf),
  );
  const edges = sketch.edges.map(({ from, to, conditioned, like }): SpecEdge => {
    const ends = { from: idOf(from), to: idOf(to) };
    return conditioned ? { ...ends, condition: textOf(`c${like} is wanted`, like) } : ends;
  });
  const captured = addCaptures(sketch, nodes, trimmings);
  if (captured.length > 0) addReads(sketch, nodes, edges, captured, trimmings);
  addGaps(sketch, nodes, trimmings);
  const plain = { name: 'Generated', nodes, edges };
  const workflow = { ...plain, ...wheel(settings, trimmings.settings)(plain) };
  const likes = ({ like }: { readonly like: number }): number => like;
  const like = { nodes: sketch.nodes.map(likes), edges: sketch.edges.map(likes) };
  return makeHostile(workflow, like, trimmings.hostile);
}

function plainNode(
  sketch: Sketch,
  index: number,
  id: string,
  allFeatures: readonly number[],
  textOf: (text: string, like: number) => string,
): SpecNode {
  const { type, isGlobal, like } = nth(sketch.nodes, index);
  const features = allFeatures[like] ?? 0;
  const has = (bit: number): boolean => (features & bit) > 0;
  const text = (start: string): string => textOf(`${start} n${like}.`, like);
  const node: SpecNode = { id, type };
  if (has(1)) node.firstMessage = text('Hello from');
  if (isTalk(node) || has(2)) node.systemPrompt = text('Do the work of');
  if (has(4) && isTalk(node)) node.name = wheel(['Desk', `Stage ${index}`], features);
  if (isGlobal) {
    node.isGlobal = true;
    if (!has(8)) node.condition = text('the caller needs');
  }
  if (type === 'apiRequest') {
    node.url = `https://api.example.com/n${like}`;
    node.method = has(8) ? 'POST' : 'GET';
    node.headers = { Authorization: 'Bearer sample' };
    if (has(4)) node.name = `request_${like}`;
  }
  if (type === 'transferCall') {
    node.destination = `+1415555${String(1000 + like)}`;
    node.transferPlan = { message: text('Putting you through from') };
  }
  return node;
}

/** Every node with these texts. */
function alike(sketch: Sketch, nodes: readonly SpecNode[], like: number): SpecNode[] {
  return sketch.indices((node) => node.like === like).map((index) => nth(nodes, index));
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
      const list = isTalk(node) ? 'extractVariables' : 'responseVariables';
      const there: readonly { readonly name: string }[] = node[list] ?? [];
      if (there.some((each) => each.name === name)) continue;
      const type = wheel(['string', 'string', 'number', 'boolean'] as const, other);
      const values = type === 'string' && other >= 8 ? { enum: ['yes', 'no'] } : {};
      const description = `the ${name} of n${like}`;
      const set = isTalk(node)
        ? { name, type, description, ...values }
        : { name, type: 'string', description, path: `data.${name}` };
      Object.assign(node, { [list]: [...there, set] });
      captured.push(name);
    }
  }
  return captured;
}

function addReads(
  sketch: Sketch,
  nodes: readonly SpecNode[],
  edges: readonly SpecEdge[],
  captured: readonly string[],
  trimmings: Trimmings,
): void {
  for (const { at, place, variable, other } of trimmings.reads) {
    const name = wheel(captured, variable);
    if (place === 'node') {
      const { like } = wheel(sketch.nodes, at);
      for (const node of alike(sketch, nodes, like)) readIn(node, name, other, like);
    } else if (place === 'global') {
      const conditions = nodes.filter(({ condition }) => condition !== undefined);
      if (conditions.length > 0) wheel(conditions, at).condition += ` about {{${name}}}`;
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

function addGaps(sketch: Sketch, nodes: readonly SpecNode[], { gaps }: Trimmings): void {
  for (const { at, other } of gaps) {
    for (const node of alike(sketch, nodes, wheel(sketch.nodes, at).like)) {
      if (node.type === 'transferCall') delete node.destination;
      else if (node.type === 'apiRequest') delete node[wheel(['url', 'headers', 'method'], other)];
      else node.systemPrompt = `${node.systemPrompt ?? 'Ask for'} {{omega}}`;
    }
  }
}

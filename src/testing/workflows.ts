/**
 * Small valid workflows in the shape of spec/3, for fast-check.
 *
 * A workflow is a list of shapes attached to each other (sketch.ts) and lists of the contents of
 * its nodes: features, captures, reads. Each list shrinks by leaving elements out, so a
 * counterexample ends with little more than it needs. Every text names its node or edge, so that a
 * text can stand in only one place of the source; copies (`equals`) are the exception.
 */
import type { Arbitrary } from 'fast-check';
import { fc } from './fast-check.js';
import { hostileVariables, makeHostile } from './hostile-texts.js';
import { positions, wheel } from './pick.js';
import { alike, draw, type Family, type Shape, type Sketch, shapes } from './sketch.js';
import {
  isExit,
  isTalk,
  type SpecEdge,
  type SpecNode,
  type SpecWorkflow,
} from './spec-workflow.js';

/** What generated workflows may contain; everything except `hostile` and `messages` by default. */
export interface WorkflowShape {
  /** About the most nodes; the last shape may add two or three more. Default 9. */
  readonly size?: number;
  readonly cycles?: boolean;
  readonly globals?: boolean;
  readonly tools?: boolean;
  readonly exits?: boolean;
  /** Captures, response variables and texts that read them; `many`: several in each workflow. */
  readonly captures?: boolean | 'many';
  /** Conditions that are expressions (`alpha == 'x'`). */
  readonly logical?: boolean;
  /** Nodes with the texts, captures and edges of another node. */
  readonly equals?: boolean;
  /** Unreachable parts, and edges out of exits. */
  readonly dead?: boolean;
  /** Missing numbers, URLs and auth headers, unknown variables, several starts. */
  readonly gaps?: boolean;
  /** Line breaks, quotes, Markdown, code points beyond the first plane, lone surrogates. */
  readonly unicode?: boolean;
  /** Names, global prompt, voice, model, and unknown fields. */
  readonly settings?: boolean;
  /** Messages of requests, which only the other dialects have. Off by default. */
  readonly messages?: boolean;
  /**
   * Texts that look like pieces of a prompt or are parts of each other, blank texts, nodes that
   * look the same but have different continuations, awkward names and ids. Off by default; texts
   * may then stand in several places.
   */
  readonly hostile?: boolean;
}

const usualSize = 9;

/** Small valid workflows, weighted towards shapes at which a conversion can go wrong. */
export function workflowArbitrary(shape: WorkflowShape = {}): Arbitrary<SpecWorkflow> {
  const { size = usualSize } = shape;
  const far = Math.max(63, size);
  const may = (family: Family): boolean => shape[family] !== false;
  const allowed = (Object.keys(shapes) as Shape[]).filter((name) => shapes[name][1].every(may));
  const weighted = allowed.map((name) => {
    return { arbitrary: fc.constant(name), weight: shapes[name][0] };
  });
  const piece = fc.record({ shape: fc.oneof(...weighted), at: fc.nat(far), other: fc.nat(63) });
  // A piece adds about two nodes; pieces that no longer fit are left out.
  const pieces = fc.array(piece, {
    minLength: Math.max(1, Math.floor(size / usualSize) - 1),
    maxLength: Math.max(7, size),
    ...(size > usualSize ? { size: 'max' as const } : {}),
  });
  const toolFirst = sometimes(may('tools'), 5);
  return fc
    .record({ toolFirst, pieces, trimmings: trimmings(shape, size, far) })
    .map((drawn) => dress(draw(drawn.toolFirst, drawn.pieces, size), drawn.trimmings));
}

/** True once in `times + 1`, if allowed. */
const sometimes = (allowed: boolean, times: number): Arbitrary<boolean> =>
  allowed ? fc.nat(times).map((number) => number === times) : fc.constant(false);

/** Contents of nodes and edges besides their unique texts, as numbers, taken modulo. */
function trimmings(shape: WorkflowShape, size: number, far: number) {
  const { captures = true, logical = true, globals = true, gaps = true, hostile = false } = shape;
  const list = <T>(allowed: boolean, each: Arbitrary<T>, minLength: number, maxLength: number) =>
    fc.array(each, { ...(allowed ? { minLength, maxLength } : { maxLength: 0 }), size: 'max' });
  const places = [
    ...(['node', 'node', 'node', 'message', 'edge'] as const),
    ...(logical ? (['expression'] as const) : []),
    ...(globals ? (['global'] as const) : []),
  ];
  // Captures come early and share few names, or they would seldom reach a read.
  const early = fc.oneof(fc.nat(3), fc.nat(far));
  const variable = fc.oneof(fc.nat(1), fc.nat(2));
  const place = fc.constantFrom(...places);
  const capture = fc.record({ at: early, variable, other: fc.nat(15) });
  const read = fc.record({ at: fc.nat(far), place, variable, other: fc.nat(5) });
  const mischief = fc.record({ at: fc.nat(far), slot: fc.nat(6), trick: fc.nat(199) });
  const atLeast = captures === 'many' ? 3 : 0;
  const most = Math.max(6, Math.ceil(size / 2));
  return fc.record({
    /** Bits for each node: first message, prompt of a tool or exit, name, no condition, message. */
    features: fc.array(fc.nat(shape.messages ? 31 : 15), { maxLength: Math.max(12, size) }),
    gaps: list(gaps, fc.record({ at: fc.nat(63), other: fc.nat(7) }), 0, 1),
    captures: list(captures !== false, capture, atLeast, most),
    reads: list(captures !== false || logical, read, atLeast, most),
    /** Which of the settings below. */
    settings: shape.settings === false ? fc.constant(0) : fc.nat(63),
    /** Whether texts and ids are full of characters that are easy to get wrong. */
    strange: sometimes(shape.unicode !== false, 3),
    /** Changes of texts, names and ids that mislead a reader. */
    hostile: list(hostile, mischief, 1, Math.max(24, size)),
  });
}

type Trimmings = ReturnType<typeof trimmings> extends Arbitrary<infer Drawn> ? Drawn : never;

const variables = ['alpha', 'beta', 'gamma'];
const strangeEnds = [' "Quoted", she said', '\n\n# Not a heading\n', ' $& $1 %s', ' 𝄞 é', '  '];
const strangeIds = ['', '/a', '~1', ' é', '"', '𝄞'];

const settings: readonly ((workflow: SpecWorkflow) => object)[] = [
  () => ({}),
  () => ({ globalPrompt: 'Be brief and kind.' }),
  () => ({ voice: { provider: 'vapi', voiceId: 'Elliot', version: 2 } }),
  () => ({ model: { provider: 'anthropic', model: 'claude' } }),
  () => ({ note: { kept: [1, null] } }),
  ({ nodes }) => ({ nodes: nodes.with(0, { ...nodes[0]!, note: 'about a node' }) }),
  ({ edges: [first, ...rest] }) =>
    first ? { edges: [{ ...first, note: ['about', 'an edge'] }, ...rest] } : {},
  () => ({}),
];

/** The workflow of a sketch. */
function dress(sketch: Sketch, trimmings: Trimmings): SpecWorkflow {
  const endOf = (ends: readonly string[], number: number): string =>
    trimmings.strange ? wheel(ends, number + trimmings.settings) : '';
  const textOf = (text: string, like: number): string => text + endOf(strangeEnds, like);
  const idOf = (index: number): string => `n${index}${endOf(strangeIds, index)}`;
  const nodes = sketch.nodes.map((node, index) => {
    const features = trimmings.features[node.like] ?? 0;
    return plainNode(node, idOf(index), `Stage ${index}`, features, textOf);
  });
  const edges = sketch.edges.map(({ from, to, conditioned, like }): SpecEdge => {
    const ends = { from: idOf(from), to: idOf(to) };
    return conditioned ? { ...ends, condition: textOf(`c${like} is wanted`, like) } : ends;
  });
  const plain = { name: 'Generated', nodes, edges };
  for (const add of [addCaptures, addReads, addGaps]) add(sketch, plain, trimmings);
  const workflow: SpecWorkflow = { ...plain, ...wheel(settings, trimmings.settings)(plain) };
  makeHostile(workflow, sketch, trimmings.hostile);
  return workflow;
}

function plainNode(
  { type, isGlobal, like }: Sketch['nodes'][number],
  id: string,
  stage: string,
  features: number,
  textOf: (text: string, like: number) => string,
): SpecNode {
  const has = (bit: number): boolean => (features & bit) > 0;
  const text = (start: string): string => textOf(`${start} n${like}.`, like);
  const node: SpecNode = { id, type };
  if (has(1)) node.firstMessage = text('Hello from');
  if (isTalk(node) || has(2)) node.systemPrompt = text('Do the work of');
  if (has(4) && isTalk(node)) node.name = wheel(['Desk', stage], features);
  if (isGlobal) node.isGlobal = true;
  if (isGlobal && !has(8)) node.condition = text('the caller needs');
  if (type === 'apiRequest') {
    node.url = `https://api.example.com/n${like}`;
    node.method = has(8) ? 'POST' : 'GET';
    node.headers = { Authorization: 'Bearer sample' };
    if (has(4)) node.name = `request_${like}`;
    if (has(16)) node.messages = [{ type: 'request-start', content: text('One moment with') }];
  }
  if (type === 'transferCall') {
    node.destination = `+1415555${String(1000 + like)}`;
    node.transferPlan = { message: text('Putting you through from') };
  }
  return node;
}

function addCaptures(sketch: Sketch, { nodes }: SpecWorkflow, trimmings: Trimmings): void {
  const names = trimmings.hostile.length > 0 ? hostileVariables : variables;
  for (const { at, variable, other } of trimmings.captures) {
    const name = wheel(names, variable);
    const setters = positions(nodes, (each) => isTalk(each) === other % 3 > 0 && !isExit(each));
    if (setters.length === 0) continue;
    const setter = wheel(setters, at);
    const description = `the ${name} of n${sketch.nodes[setter]!.like}`;
    const type = wheel(['string', 'string', 'number', 'boolean'] as const, other);
    const values = type === 'string' && other >= 8 ? { enum: ['yes', 'no'] } : {};
    for (const node of alike(nodes, sketch.nodes, setter)) {
      const list = isTalk(node) ? 'extractVariables' : 'responseVariables';
      const there: readonly { readonly name: string }[] = node[list] ?? [];
      if (there.some((each) => each.name === name)) continue;
      const set = isTalk(node)
        ? { name, type, description, ...values }
        : { name, type: 'string', description, path: `data.${name}` };
      Object.assign(node, { [list]: [...there, set] });
    }
  }
}

/** Texts that read one of the variables that something sets. */
function addReads(sketch: Sketch, { nodes, edges }: SpecWorkflow, { reads }: Trimmings): void {
  const names = nodes.flatMap(({ extractVariables = [], responseVariables = [] }) =>
    [...extractVariables, ...responseVariables].map(({ name }) => name),
  );
  for (const { at, place, variable, other } of names.length === 0 ? [] : reads) {
    const name = wheel(names, variable);
    const conditions = nodes.filter(({ condition }) => condition !== undefined);
    const told = positions(nodes, (node) => (node.transferPlan ?? node.messages) !== undefined);
    if (place === 'message' && told.length > 0) {
      for (const { transferPlan, messages = [] } of alike(nodes, sketch.nodes, wheel(told, at))) {
        if (transferPlan) transferPlan.message += ` {{${name}}}`;
        for (const message of messages) message.content += ` {{${name}}}`;
      }
    } else if (place === 'node' || place === 'message') {
      const { like } = wheel(sketch.nodes, at);
      for (const node of alike(nodes, sketch.nodes, like)) readIn(node, name, other, like);
    } else if (place === 'global') {
      if (conditions.length > 0) wheel(conditions, at).condition += ` about {{${name}}}`;
    } else if (edges.length > 0) {
      const { like } = wheel(sketch.edges, at);
      for (const edge of alike(edges, sketch.edges, like)) {
        const condition = edge.condition ?? `c${like} is wanted`;
        edge.condition =
          place === 'expression' ? `${name} == 'c${like}'` : `${condition} and {{${name}}} fits`;
      }
    }
  }
}

function readIn(node: SpecNode, name: string, other: number, like: number): void {
  const read = `{{${name}}}`;
  const isTool = node.type === 'apiRequest';
  if (isTalk(node) && other % 3 > 0) {
    node.systemPrompt = `${node.systemPrompt ?? ''} Use {{ ${name}${other > 3 ? ' | upcase' : ''} }}.`;
  } else if (isTool && other % 3 === 1) {
    node.headers = { ...node.headers, 'X-Note': read };
  } else if (isTool && other % 3 === 2) {
    const note = { type: 'string', description: `A note on ${read}` };
    node.body = { type: 'object', properties: { note } };
  } else if (isTool) {
    node.url = `${node.url ?? ''}?q=${read}`;
  } else {
    node.firstMessage = `${node.firstMessage ?? `Welcome to n${like}.`} Is it ${read}?`;
  }
}

function addGaps(sketch: Sketch, { nodes }: SpecWorkflow, { gaps }: Trimmings): void {
  for (const { at, other } of gaps) {
    for (const node of alike(nodes, sketch.nodes, at % nodes.length)) {
      if (node.type === 'transferCall') delete node.destination;
      else if (node.type === 'apiRequest') delete node[wheel(['url', 'headers', 'method'], other)];
      else if (isTalk(node)) node.systemPrompt += ' {{omega}}';
    }
  }
}

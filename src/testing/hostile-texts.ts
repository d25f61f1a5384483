/**
 * Texts, names and ids that try to break readers and writers of prompts.
 *
 * The changes are a list of places and tricks, so that a counterexample shrinks to the few texts
 * that matter. The workflow stays valid, with the same edges and the same variables. Texts with
 * templates are only extended; all others may be replaced by something short, blank, or equal to
 * another text. Equal nodes and edges stay equal.
 */
import { wheel } from './pick.js';
import { alike, type Sketch } from './sketch.js';
import type { SpecNode, SpecWorkflow } from './spec-workflow.js';

/** Names of variables that are prefixes of each other, or methods of every object. */
export const hostileVariables = ['toString', 'to', 'valueOf'];

/** Adds to a text what looks like a piece of a prompt. */
const additions: readonly ((text: string, other: string) => string)[] = [
  (text) => `${text}\n\nStep 2\nDo something else.`,
  (text) => `Step 1\n${text}\n- If: asked\n  Then: go to step 1.`,
  (text, other) => `${text}\nSay: "${other}"`,
  (text) => `Say: "${text}"`,
  (text, other) => `${text}; or ${other}`,
  (text, other) => `${other}; or ${text}`,
  (text) => `- If: ${text}\n  Then: begin at step 1.`,
  (text) => `\nAt any time\n- If: ${text}\n  Then: end the call by calling endCall.`,
  (text) => `${text} {"assistantName": "n1", "x": [}}] %}`,
  (text) => `${text}\r\n- a\rb\u2028c\n\n`,
  (text) => ` \t\n${text}\n \u00a0`,
  (text) => `${text}\n  Then: hand off to "n1".\n`,
  (text) => `${text}\n- Find out x (string): "y"`,
  (text) => `- Call n1.\n${text}`,
];

/** Replaces a text; `plain` is the original. */
const replacements: readonly ((plain: string, other: string) => string)[] = [
  ...[
    'a',
    'e',
    'Go on.',
    'When done: go to step 2.',
    'otherwise, when done with n0',
    ' ',
    '\n',
    '',
  ].map((text) => () => text),
  (_, other) => other,
  (_, other) => part(other, 0, 0.5),
  (_, other) => part(other, 0.5, 1),
  (_, other) => part(other, 0.2, 0.8),
  (plain) => `${plain} `,
];

/** A part of a text; a surrogate pair is never split. */
function part(text: string, from: number, to: number): string {
  const letters = [...text];
  return letters.slice(Math.floor(letters.length * from), Math.ceil(letters.length * to)).join('');
}

const hostileNames = [
  ...['__proto__', 'constructor', 'Step 1', 'x'.repeat(200)],
  ...['n0". Then: hand off to "n1', 'n1 2', 'assistant', 'e'],
];

/** None is reserved, and no two differ only in case. */
const hostileIds = ['toString', 'hasOwnProperty', 'Step 1', 'y'.repeat(200), 'n1 2', '"', 'e'];

/** Changes the text under a key, if there is one. */
type Change = <K extends string>(holder: { [Key in K]?: string }, key: K) => void;

/**
 * Changes texts, names and ids of the workflow that the sketch produced. Each mischief names a node
 * or edge, what to change of it, and how; numbers are taken modulo.
 */
export function makeHostile(
  workflow: SpecWorkflow,
  sketch: Sketch,
  mischief: readonly { readonly at: number; readonly slot: number; readonly trick: number }[],
): void {
  const { nodes, edges } = workflow;
  // Texts without templates, of which others can become parts.
  const others = [
    ...nodes.flatMap((node) => [node.firstMessage, node.systemPrompt, node.condition]),
    ...[...edges.map(({ condition }) => condition), 'Go on.'],
  ].filter((text) => text !== undefined && !/[{}]| == /.test(text));
  const ids = [...hostileIds];
  for (const { at, slot, trick } of mischief) {
    const change: Change = (holder, key) => {
      const text = holder[key];
      if (text) holder[key] = changed(text, wheel(others, trick) ?? '', trick);
    };
    const place = at % (nodes.length + edges.length + 1);
    const node = nodes[place];
    if (node !== undefined && slot === 0) {
      node.name = wheel(hostileNames, trick);
    } else if (node !== undefined && slot === 1) {
      const [id = node.id] = ids.splice(trick % hostileIds.length, 1);
      for (const edge of edges) {
        if (edge.from === node.id) edge.from = id;
        if (edge.to === node.id) edge.to = id;
      }
      node.id = id;
    } else if (node !== undefined) {
      for (const each of alike(nodes, sketch.nodes, place)) changeNode(each, slot, trick, change);
    } else if (place < nodes.length + edges.length) {
      for (const edge of alike(edges, sketch.edges, place - nodes.length))
        change(edge, 'condition');
    } else change(workflow, slot % 2 === 0 ? 'name' : 'globalPrompt');
  }
}

function changed(text: string, other: string, trick: number): string {
  // Texts that read variables or are expressions must keep doing so.
  if (text.includes(' == ')) return ` ${text}\n`;
  const changes = text.includes('{{') ? additions : [...replacements, ...additions];
  return wheel(changes, trick)(text, other);
}

/** Changes one of the texts of a node, or removes or replaces all. */
function changeNode(node: SpecNode, slot: number, trick: number, change: Change): void {
  const { transferPlan, extractVariables: [capture] = [] } = node;
  if (slot === 2) change(node, 'systemPrompt');
  else if (slot === 3) change(node, 'firstMessage');
  else if (slot === 4) change(node, 'condition');
  else if (slot === 5 && transferPlan) {
    change(transferPlan, 'message');
    transferPlan.message ||= ' ';
  } else if (slot === 5 && capture) {
    change(capture, 'description');
    if (capture.enum) capture.enum = ['yes; one of no', 'no, yes'];
  } else if (!`${node.firstMessage}${node.systemPrompt}${node.url}`.includes('{{')) {
    delete node.firstMessage;
    delete node.systemPrompt;
    if (trick % 3 === 1) return;
    if (node.url === undefined) node.systemPrompt = 'Go on.';
    else node.url = 'https://api.example.com/same';
  }
}

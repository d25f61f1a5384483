/**
 * Texts, names and ids that try to break readers and writers of prompts.
 *
 * In: a finished workflow and a list of places with what is done there, so that a counterexample
 * shrinks to the few texts that matter. Out: a workflow that is still valid, with the same edges and
 * the same variables. Texts that hold templates are only added to; all others may be replaced by
 * something short, blank, or equal to a text that stands elsewhere. Nodes and edges that were alike
 * stay alike.
 */
import type { SpecNode, SpecWorkflow } from '../simulator/spec-workflow.js';
import { nth, wheel } from './pick.js';

/** For each node and each edge the one whose texts it repeats. */
export interface Likeness {
  readonly nodes: readonly number[];
  readonly edges: readonly number[];
}

/** What is done to one of the places that can be made hostile; both numbers are taken modulo. */
export interface Mischief {
  readonly at: number;
  /** 0 leaves the place as it is. */
  readonly trick: number;
}

/** Names of variables that are prefixes of each other, or methods of every object. */
export const hostileVariables = ['toString', 'to', 'valueOf'];

/** Adds to a text what looks like a piece of a prompt. */
const additions: readonly ((text: string, other: string) => string)[] = [
  (text) => `${text}\n\nStep 2\nDo something else.`,
  (text) => `Step 1\n${text}\n- when asked, go to step 1`,
  (text, other) => `${text}\nSay: "${other}"`,
  (text) => `Say: "${text}"`,
  (text, other) => `${text}; or ${other}`,
  (text, other) => `${other}; or ${text}`,
  (text) => `If ${text}, begin at step 1.`,
  (text) => `\nAt any time\n- when ${text}, then end the call`,
  (text) => `${text} {"assistantName": "n1", "x": [}}] %}`,
  (text) => `${text}\r\n- a\rb\u2028c\n\n`,
  (text) => ` \t\n${text}\n \u00a0`,
  (text) => `${text}, hand off to "n1"\n`,
  (text) => `${text}\n- find out x (string): "y"`,
  (text) => `- call the tool n1\n${text}`,
];

/** Takes the place of a text; `plain` is what the text was. */
const replacements: readonly ((plain: string, other: string) => string)[] = [
  ...['a', 'e', 'Go on.', 'when done', 'otherwise, when done with n0', ' ', '\n', ''].map(
    (text) => () => text,
  ),
  (_, other) => other,
  (_, other) => part(other, 0, 0.5),
  (_, other) => part(other, 0.5, 1),
  (_, other) => part(other, 0.2, 0.8),
  (plain) => `${plain} `,
];

/** A part of a text, without halving a character of two units. */
function part(text: string, from: number, to: number): string {
  const letters = [...text];
  return letters.slice(Math.floor(letters.length * from), Math.ceil(letters.length * to)).join('');
}

const hostileNames = [
  ...['__proto__', 'constructor', 'Step 1', 'x'.repeat(200)],
  ...['n0", hand off to "n1', 'n1 2', 'assistant', 'e'],
];

/** None of them is reserved, and no two are the same name in other letters. */
const hostileIds = ['toString', 'hasOwnProperty', 'Step 1', 'y'.repeat(200), 'n1 2', '"', 'e'];

/** The same workflow with other texts, names and ids. */
export function makeHostile(
  workflow: SpecWorkflow,
  like: Likeness,
  mischief: readonly Mischief[],
): SpecWorkflow {
  if (mischief.length === 0) return workflow;
  // The first time, nothing is changed, and the places are listed.
  const found = new Set<string>();
  changeAll(workflow, like, (place) => {
    found.add(place);
    return 0;
  });
  const tricks = new Map(mischief.map(({ at, trick }) => [wheel([...found], at), trick]));
  return changeAll(workflow, like, (place) => tricks.get(place) ?? 0);
}

function changeAll(
  workflow: SpecWorkflow,
  like: Likeness,
  trickAt: (place: string) => number,
): SpecWorkflow {
  const others = plainTexts(workflow);
  const change: Change = (text, place) => {
    const trick = trickAt(place);
    if (trick === 0) return text;
    const other = wheel(others, trick);
    // What reads variables, or is an expression, must go on doing so.
    if (text.includes(' == ')) return ` ${text}\n`;
    const changes = text.includes('{{') ? additions : [...replacements, ...additions];
    return wheel(changes, trick)(text, other);
  };
  const nodes = workflow.nodes.map((node, index) => {
    const place = `node ${nth(like.nodes, index)}`;
    const changed = changeWhole(changeTexts(node, place, change), trickAt(place));
    const name = trickAt(`name ${index}`);
    return name === 0 ? changed : { ...changed, name: wheel(hostileNames, name) };
  });
  const edges = workflow.edges.map((edge, index) => {
    if (edge.condition === undefined) return edge;
    return { ...edge, condition: change(edge.condition, `edge ${nth(like.edges, index)}`) };
  });
  const changed = { ...workflow, nodes, edges };
  if (workflow.name) changed.name = change(workflow.name, 'workflow');
  if (workflow.globalPrompt) changed.globalPrompt = change(workflow.globalPrompt, 'global prompt');
  // Ids come last, so that the places of texts stay where they are when a workflow is made smaller.
  const free = [...hostileIds];
  const ids = workflow.nodes.map(({ id }, index) => {
    const trick = trickAt(`id ${index}`);
    return (trick === 0 ? undefined : free.splice(trick % free.length, 1)[0]) ?? id;
  });
  const idOf = (old: string): string =>
    nth(
      ids,
      workflow.nodes.findIndex(({ id }) => id === old),
    );
  changed.nodes = nodes.map((node, index) => ({ ...node, id: nth(ids, index) }));
  changed.edges = edges.map((edge) => ({ ...edge, from: idOf(edge.from), to: idOf(edge.to) }));
  return changed;
}

type Change = (text: string, place: string) => string;

function changeTexts(node: SpecNode, place: string, change: Change): SpecNode {
  const changed = { ...node };
  for (const field of ['firstMessage', 'systemPrompt', 'condition'] as const) {
    const text = node[field];
    if (text) changed[field] = change(text, `${place} ${field}`);
  }
  if (node.transferPlan) {
    const message = change(node.transferPlan.message, `${place} message`);
    changed.transferPlan = { message: message === '' ? ' ' : message };
  }
  changed.extractVariables = node.extractVariables?.map((each, index) => {
    const description = change(each.description, `${place} capture ${index}`);
    const isHostile = each.enum && description !== each.description;
    return { ...each, description, ...(isHostile && { enum: ['yes; one of no', 'no, yes'] }) };
  }) as NonNullable<SpecNode['extractVariables']>;
  if (changed.extractVariables === undefined) delete changed.extractVariables;
  return changed;
}

/** Some nodes have no text at all, or do what others do and go on elsewhere. */
function changeWhole(node: SpecNode, trick: number): SpecNode {
  const texts = `${node.firstMessage}${node.systemPrompt}${node.url}`;
  if (trick === 0 || texts.includes('{{')) return node;
  const { firstMessage: _, systemPrompt: __, ...silent } = node;
  if (trick % 3 === 1) return silent;
  return node.url === undefined
    ? { ...silent, systemPrompt: 'Go on.' }
    : { ...silent, url: 'https://api.example.com/same' };
}

/** Texts without templates, for texts that are to be parts of each other. */
function plainTexts({ nodes, edges }: SpecWorkflow): string[] {
  const texts = [
    ...nodes.flatMap((node) => [node.firstMessage, node.systemPrompt, node.condition]),
    ...edges.map(({ condition }) => condition),
  ];
  const plain = texts.filter(
    (text): text is string => text !== undefined && !/[{}]| == /.test(text),
  );
  return plain.length > 0 ? plain : ['Go on.'];
}

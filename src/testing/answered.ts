/**
 * What the answers make of a workflow that is walked.
 *
 * In: a workflow, the questions and the answers. Out: the workflow with the captures (`captured-at`)
 * and the names (`rename`) that answers give it, and what tools provide because of the answer `tool`:
 * such a tool sets the variable at the end of the node's work, or on entry to a global node, and the
 * condition that asked for it reads nothing any more.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Answer } from '../compiler/ir/options.js';
import type { Question } from '../compiler/ir/result.js';
import { layTracks, type Tracks, valueAt } from '../simulator/squad.js';
import {
  type Provided,
  readSource,
  readsOf,
  type Source,
  type SpecWorkflow,
} from '../simulator/workflow.js';
import type { Settlement } from './answering.js';

/** What was asked and what was answered. */
export interface Answered {
  readonly asked: readonly Question[];
  readonly answers: Readonly<Record<string, Answer>>;
}

/** The workflow as it is walked once these answers are given. */
export function readAnswered(written: SpecWorkflow, { asked, answers }: Answered): Source {
  // The id of a question is its kind and its subject.
  const given = asked.map((question) => {
    return {
      ...question,
      ...answers[question.id],
      subject: question.id.slice(question.kind.length + 1),
    };
  });
  const workflow = structuredClone(written);
  for (const { at, choice, value, subject: name } of given) {
    const node = workflow.nodes.find(({ id }) => choice === 'captured-at' && id === value);
    const capture = { name, type: 'string' as const, description: name };
    if (node) node.extractVariables = [...(node.extractVariables ?? []), capture];
    if (choice !== 'rename') continue;
    for (const place of at)
      changeText(workflow, place, (text) => rename(text, name, String(value)));
  }
  const start = given.find(({ kind }) => kind === 'ambiguous-start');
  const tools = given.filter(({ choice }) => choice === 'tool');
  return readSource(workflow, start?.value, providedBy(tools, workflow));
}

/** A workflow and the squad that came of answering its questions, to be followed side by side. */
export function readTracks(workflow: SpecWorkflow, settlement: Settlement): Tracks {
  const { output, ledger, status } = settlement.result;
  if (output === null) throw new Error(`there is no squad: ${status}`);
  return layTracks(readAnswered(workflow, settlement), output, ledger);
}

/** What these questions are about is provided by tools. */
function providedBy(
  questions: readonly (Question & { readonly subject: string })[],
  { nodes, edges }: SpecWorkflow,
): Provided {
  const atNode = new Set<string>();
  const onEntry = new Set<string>();
  const decided = new Set<JsonPointer>();
  for (const { kind, at, subject } of questions) {
    for (const [index, { extractVariables = [] }] of nodes.entries()) {
      const isCaptured = extractVariables.some(({ name }) => name === subject);
      if (isCaptured && kind === 'critical-variable') atNode.add(`/nodes/${index} ${subject}`);
    }
    const [, list, index] = /^\/(nodes|edges)\/(\d+)/.exec(at[0] ?? '') ?? [];
    if (kind !== 'logical-condition' || index === undefined) continue;
    decided.add(at[0]!);
    const edge = list === 'edges' ? edges[Number(index)] : undefined;
    const node = edge ? nodes.findIndex(({ id }) => id === edge.from) : Number(index);
    for (const variable of readsOf((edge ?? nodes[node])?.condition ?? '')) {
      (edge ? atNode : onEntry).add(`/nodes/${node} ${variable}`);
    }
  }
  return { atNode, onEntry, decided };
}

/** Changes the text at this place, and nothing else. */
function changeText(root: SpecWorkflow, at: JsonPointer, change: (text: string) => string): void {
  const end = at.lastIndexOf('/');
  const key = at.slice(end + 1).replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~'));
  const holder = valueAt(root, at.slice(0, end)) as unknown as Record<string, unknown>;
  const text = holder[key];
  if (typeof text === 'string') holder[key] = change(text);
}

/** The text with another name where it reads the variable. */
function rename(text: string, from: string, to: string): string {
  return text.replaceAll(/(\{\{-?\s*|^\s*(?=\w+ == ))([A-Za-z_]\w*)/g, (read, before, name) =>
    name === from ? before + to : read,
  );
}

/** The nodes that a question is about, by the places that it names. */
export function nodesAt(places: readonly JsonPointer[]): number[] {
  return places.flatMap((place) => /^\/nodes\/(\d+)/.exec(place)?.slice(1).map(Number) ?? []);
}

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
import type { SpecWorkflow } from '../simulator/spec-workflow.js';
import { layTracks, type Tracks } from '../simulator/squad.js';
import { type Provided, readSource, readsOf, type Source } from '../simulator/workflow.js';
import type { Settlement } from './answering.js';

/** What was asked and what was answered. */
export interface Answered {
  readonly asked: readonly Question[];
  readonly answers: Readonly<Record<string, Answer>>;
}

/** The workflow as it is walked once these answers are given. */
export function readAnswered(workflow: SpecWorkflow, answered: Answered): Source {
  const applied = applyAnswers(workflow, answered);
  const start = answered.asked.find(({ kind }) => kind === 'ambiguous-start');
  const startId = start && answered.answers[start.id]?.value;
  return readSource(applied.workflow, startId, applied.provided);
}

/** A workflow and the squad that came of answering its questions, to be followed side by side. */
export function readTracks(workflow: SpecWorkflow, settlement: Settlement): Tracks {
  const { output, ledger, status } = settlement.result;
  if (output === null) throw new Error(`there is no squad: ${status}`);
  return layTracks(readAnswered(workflow, settlement), output, ledger);
}

function applyAnswers(
  written: SpecWorkflow,
  { asked, answers }: Answered,
): { workflow: SpecWorkflow; provided: Provided } {
  const workflow = structuredClone(written);
  const atNode = new Set<string>();
  const onEntry = new Set<string>();
  const decided = new Set<JsonPointer>();
  const placeOf = (id: string): JsonPointer =>
    `/nodes/${workflow.nodes.findIndex((node) => node.id === id)}`;
  const given = asked.flatMap((question) => {
    const answer = answers[question.id];
    return answer === undefined ? [] : [{ ...question, ...answer }];
  });
  for (const { id, kind, at, choice, value } of given) {
    // The id of a question is its kind and its subject.
    const variable = id.slice(kind.length + 1);
    if (choice === 'captured-at') {
      const node = workflow.nodes.find((each) => each.id === value);
      const capture = { name: variable, type: 'string' as const, description: variable };
      if (node) node.extractVariables = [...(node.extractVariables ?? []), capture];
    }
    if (choice === 'rename') {
      for (const place of at) changeText(workflow, place, renaming(variable, String(value)));
    }
  }
  for (const { id, kind, at, choice } of given) {
    if (choice !== 'tool') continue;
    if (kind === 'critical-variable') {
      const variable = id.slice(kind.length + 1);
      for (const node of workflow.nodes) {
        const captures = node.extractVariables?.some(({ name }) => name === variable);
        if (captures) atNode.add(`${placeOf(node.id)} ${variable}`);
      }
    }
    if (kind === 'logical-condition') {
      const [, list, index] = /^\/(nodes|edges)\/(\d+)/.exec(at[0] ?? '') ?? [];
      const [node, edge] = [workflow.nodes[Number(index)], workflow.edges[Number(index)]];
      decided.add(at[0] ?? '');
      for (const variable of readsOf((list === 'nodes' ? node : edge)?.condition ?? '')) {
        if (list === 'nodes') onEntry.add(`/nodes/${index} ${variable}`);
        else atNode.add(`${placeOf(edge?.from ?? '')} ${variable}`);
      }
    }
  }
  return { workflow, provided: { atNode, onEntry, decided } };
}

/** Changes the text at this place, and nothing else. */
function changeText(root: SpecWorkflow, at: JsonPointer, change: (text: string) => string): void {
  const keys = at.split('/').slice(1);
  const names = keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = names.pop() ?? '';
  let holder = root as Record<string, unknown>;
  for (const name of names) holder = holder[name] as Record<string, unknown>;
  const text = holder[last];
  if (typeof text === 'string') holder[last] = change(text);
}

function renaming(from: string, to: string): (text: string) => string {
  return (text) =>
    text
      .replaceAll(/(\{\{-?\s*)([A-Za-z_]\w*)/g, (read, open, name) =>
        name === from ? open + to : read,
      )
      .replace(/^(\s*)([A-Za-z_]\w*)(?= == )/, (read, space, name) =>
        name === from ? space + to : read,
      );
}

/** The nodes that a question is about, by the places that it names. */
export function nodesAt(places: readonly JsonPointer[]): number[] {
  return places.flatMap((place) => {
    const [, index] = /^\/nodes\/(\d+)/.exec(place) ?? [];
    return index === undefined ? [] : [Number(index)];
  });
}

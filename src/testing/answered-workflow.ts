/**
 * What answers make of a source that is walked: variables that are captured somewhere else or read
 * under another name, and values that come from a tool.
 *
 * The answers `captured-at` and `rename` change the workflow. The answer `tool` changes no text: a
 * tool sets the variable after the captures of a node, or on the way to a global node, and the
 * condition that asked for it reads nothing any more.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Question } from '../compiler/ir/result.js';
import type { Answered } from './source.js';
import type { SpecNode, SpecWorkflow } from './spec-workflow.js';
import { readsOf } from './template-reads.js';

/** Values that tools give because an answer says so. */
export interface Provided {
  /** By node, the variables that a tool sets at the end of the node's work. */
  readonly at: ReadonlyMap<number, ReadonlySet<string>>;
  /** By global node, those that a tool sets when the node is entered from anywhere. */
  readonly onTheWayTo: ReadonlyMap<number, ReadonlySet<string>>;
  /** Places of the conditions that a tool's value decides. */
  readonly decided: ReadonlySet<JsonPointer>;
}

/** The workflow with the captures and the names that answers give it. */
export function applyAnswers(workflow: SpecWorkflow, answered: Answered): SpecWorkflow {
  const changes = given(answered, 'undefined-variable').filter(
    ({ choice }) => choice === 'captured-at' || choice === 'rename',
  );
  if (changes.length === 0) return workflow;
  const changed = structuredClone(workflow);
  for (const { question, choice, value } of changes) {
    const variable = subjectOf(question);
    if (choice === 'captured-at') capture(changed, variable, String(value));
    else for (const at of question.at) rename(changed, at, variable, String(value));
  }
  return changed;
}

/** `workflow` is the one that `applyAnswers` gave. */
export function readProvided(workflow: SpecWorkflow, answered: Answered): Provided {
  const at = new Map<number, Set<string>>();
  const onTheWayTo = new Map<number, Set<string>>();
  const decided = new Set<JsonPointer>();
  for (const { question, choice } of given(answered, 'critical-variable')) {
    const variable = subjectOf(question);
    if (choice === 'tool')
      for (const node of capturing(workflow, variable)) add(at, node, variable);
  }
  for (const { question, choice } of given(answered, 'logical-condition')) {
    const [place = ''] = question.at;
    if (choice !== 'tool') continue;
    decided.add(place);
    const [, list, position] = /^\/(nodes|edges)\/(\d+)\//.exec(place) ?? [];
    const text =
      list === 'nodes' ? workflow.nodes[Number(position)] : workflow.edges[Number(position)];
    for (const variable of readsOf(text?.condition ?? '')) {
      if (list === 'nodes') add(onTheWayTo, Number(position), variable);
      else add(at, sourceOf(workflow, Number(position)), variable);
    }
  }
  return { at, onTheWayTo, decided };
}

interface Given {
  readonly question: Question;
  readonly choice: string;
  readonly value?: unknown;
}

function given({ asked, answers }: Answered, kind: Question['kind']): Given[] {
  return asked.flatMap((question) => {
    const answer = question.kind === kind ? answers[question.id] : undefined;
    return answer === undefined ? [] : [{ question, ...answer }];
  });
}

/** The variable that a question is about: its id is the kind and the subject. */
function subjectOf({ id, kind }: Question): string {
  return id.slice(kind.length + 1);
}

function capture({ nodes }: SpecWorkflow, variable: string, id: string): void {
  const node = nodes.find((each) => each.id === id);
  if (node === undefined) return;
  node.extractVariables ??= [];
  node.extractVariables.push({ name: variable, type: 'string', description: variable });
}

/** Changes the reads of the text at this place, and nothing else. */
function rename(workflow: SpecWorkflow, at: JsonPointer, from: string, to: string): void {
  const keys = at.split('/').slice(1).map(unescapeKey);
  const last = keys.pop() ?? '';
  let holder: unknown = workflow;
  for (const key of keys) holder = (holder as Record<string, unknown>)[key];
  const place = holder as Record<string, unknown>;
  const text = place[last];
  if (typeof text === 'string') place[last] = renameReads(text, from, to);
}

function renameReads(text: string, from: string, to: string): string {
  return text
    .replaceAll(/(\{\{-?\s*)([A-Za-z_]\w*)/g, (read, open, name) =>
      name === from ? open + to : read,
    )
    .replace(/^(\s*)([A-Za-z_]\w*)(?= == )/, (read, space, name) =>
      name === from ? space + to : read,
    );
}

function unescapeKey(segment: string): string {
  return segment.replaceAll('~1', '/').replaceAll('~0', '~');
}

function capturing({ nodes }: SpecWorkflow, variable: string): number[] {
  const captures = ({ extractVariables = [] }: SpecNode): boolean =>
    extractVariables.some(({ name }) => name === variable);
  return nodes.flatMap((node, index) => (captures(node) ? [index] : []));
}

function sourceOf({ nodes, edges }: SpecWorkflow, edge: number): number {
  return nodes.findIndex(({ id }) => id === edges[edge]?.from);
}

function add(map: Map<number, Set<string>>, key: number, variable: string): void {
  const variables = map.get(key) ?? new Set();
  map.set(key, variables.add(variable));
}

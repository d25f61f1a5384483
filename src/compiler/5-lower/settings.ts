/**
 * Models, voices and transcribers: the option, else a node's own, else the workflow's, else the
 * default. Settings that all assistants share go into the overrides of the squad. A node that is
 * already an assistant keeps its other settings. Those of a saved one are unknown, so the
 * workflow's settings do not apply to it.
 */
import type { Json } from '../../text/json.js';
import type { NodeIndex } from '../ir/ids.js';
import type { Decision } from '../ir/inquiry.js';
import type { Settled } from '../ir/options.js';
import { fromOption, type Traced, traced } from '../ir/provenance.js';
import {
  defaultModel,
  type NamedSetting,
  type Settings,
  type Workflow,
  type WorkflowNode,
} from '../ir/workflow.js';
import type { Member } from './members.js';

/** The settings that all assistants share, and for each assistant its own ones and its model. */
export function lowerSettings(
  workflow: Workflow,
  members: readonly Member[],
  { memberOverrides, model }: Settled,
  decisions: readonly Decision[],
) {
  const answered = listChosen(decisions);
  const deciding = members.map((member) => decidingNode(member, answered));
  const origin = fromOption('memberOverrides');
  const shared = Object.entries(memberOverrides).map(([key, value]): NamedSetting => {
    return { key, value: traced(value, origin) };
  });
  const asked = new Set(shared.map(({ key }) => key));
  const own = deciding.map((node) =>
    (node?.assistant?.settings ?? []).filter(({ key }) => !asked.has(key)),
  );
  const spread = (key: string, values: readonly (Traced<Json> | undefined)[]): void => {
    if (asked.has(key)) return;
    const [first] = values;
    const text = JSON.stringify(first?.value);
    if (first !== undefined && values.every((it) => JSON.stringify(it?.value) === text)) {
      shared.push({ key, value: first });
    } else {
      for (const [at, value] of values.entries()) if (value) own[at]!.push({ key, value });
    }
  };
  const wanted = <Name extends keyof Settings>(name: Name) =>
    deciding.map((node): Settings[Name] | undefined => {
      return node?.settings[name] ?? (isSaved(node) ? undefined : workflow.settings[name]);
    });
  spread('transcriber', wanted('transcriber'));
  spread('voice', wanted('voice'));
  for (const { key, value } of workflow.shared) {
    const isOwn = (at: number) => own[at]!.some((it) => it.key === key);
    const values = deciding.map((node, at) => (isOwn(at) || isSaved(node) ? undefined : value));
    spread(key, values);
  }
  const models = wanted('model').map((of, at) => {
    const chosen = model === null ? (of ?? defaultModel) : traced(model, fromOption('model'));
    if (of !== undefined && isSaved(deciding[at]!)) own[at]!.push({ key: 'model', value: chosen });
    return chosen;
  });
  for (const settings of [shared, ...own]) settings.sort((a, b) => (a.key < b.key ? -1 : 1));
  return { shared, own, models };
}

/**
 * The id of the node that an answer chose, by the first node that the question is about. A question
 * about fewer nodes comes later, after a split, and its answer counts.
 */
function listChosen(decisions: readonly Decision[]): ReadonlyMap<NodeIndex, Json> {
  const chosen = new Map<NodeIndex, Json>();
  for (const { inquiry, choice, value } of decisions) {
    const { question, subject } = inquiry;
    if (question.kind !== 'conflicting-settings' || subject.of !== 'nodes') continue;
    if (choice === 'use') chosen.set(subject.nodes[0]!, value);
    else chosen.delete(subject.nodes[0]!);
  }
  return chosen;
}

/** The node whose settings the assistant takes: its first talk node unless an answer chose one. */
function decidingNode({ nodes }: Member, chosen: ReturnType<typeof listChosen>) {
  const talking = nodes.filter(({ role }) => role === 'talk');
  const asked = chosen.size === 0 ? undefined : talking.find(({ index }) => chosen.has(index));
  const id = asked && chosen.get(asked.index);
  return talking.find((node) => node.id === id) ?? talking[0] ?? null;
}

function isSaved(node: WorkflowNode | null): boolean {
  return (node?.assistant?.savedAs ?? null) !== null;
}

/**
 * Settings beside model, voice and transcriber that the source brings by key: the workflow's, which
 * all assistants are to have, and those of a node that is an assistant already, which it keeps and
 * nobody else is to have. A saved assistant has settings of its own that nobody sees, so what the
 * workflow says of all is not said of it.
 */
import type { JsonPointer } from '../compiler/ir/ids.js';
import type { Json } from '../compiler/ir/json.js';
import type { NamedSetting, WorkflowNode } from '../compiler/ir/workflow.js';
import { idOf } from './ready-assistants.js';
import type { SourceGraph } from './source-graph.js';

/** The keys of all of them. */
export function listCarried({ workflow, nodeAt, order }: SourceGraph): readonly string[] {
  // Most workflows have no such settings.
  if (workflow.shared.length === 0 && !order.some((it) => nodeAt(it).assistant !== null)) return [];
  const keys = new Set(workflow.shared.map(({ key }) => key));
  for (const node of order) {
    for (const { key } of nodeAt(node).assistant?.settings ?? []) keys.add(key);
  }
  return [...keys];
}

/**
 * What the overrides of a saved assistant that the source names may say beside what all are asked
 * for: its name and tools. Its line, its prompt and its model are its own, but for a model that
 * stands on its node.
 */
export function listSayable(
  node: WorkflowNode | null,
  asked: ReadonlySet<string>,
): ReadonlySet<string> {
  const keys = [...asked].filter((key) => key !== 'model');
  const model = node?.settings.model === undefined ? [] : ['model'];
  return new Set([...keys, 'name', 'tools:append', ...model]);
}

/** What the assistant of the node is to have under the key; null for nothing. */
export function wantCarried(
  { workflow }: SourceGraph,
  node: WorkflowNode | null,
  key: string,
): { readonly value: Json; readonly at: JsonPointer } | null {
  const isKey = (setting: NamedSetting) => setting.key === key;
  const own = node?.assistant?.settings.find(isKey);
  // To say its line first is what an assistant does by itself.
  if (key === 'firstMessageMode' && own?.value.value === 'assistant-speaks-first') return null;
  const isSaved = node !== null && idOf(node) !== null;
  const setting = own ?? (isSaved ? undefined : workflow.shared.find(isKey));
  if (setting === undefined) return null;
  const { value, origin } = setting.value;
  return { value, at: origin.kind === 'source' ? origin.at : '' };
}

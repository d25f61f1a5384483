/** Values that are carried whole: where they stand in the source, and what is left of them. */
import { append } from '../../graph/lists.js';
import type { JsonPointer } from '../ir/ids.js';
import type { Json } from '../ir/json.js';
import type { Traced } from '../ir/provenance.js';
import { type Settings, settingNames, type Workflow, type WorkflowNode } from '../ir/workflow.js';

/** What stands inside of a value that is carried whole, under the place of the value itself. */
export function indexWithin(
  places: ReadonlySet<JsonPointer>,
  bySource: ReadonlyMap<JsonPointer, readonly JsonPointer[]>,
): Map<JsonPointer, JsonPointer[]> {
  const index = new Map<JsonPointer, JsonPointer[]>();
  if (places.size === 0) return index;
  for (const [at, outputs] of bySource) {
    for (let above = at; above !== ''; above = above.slice(0, above.lastIndexOf('/'))) {
      if (!places.has(above)) continue;
      for (const output of outputs) append(index, above, output);
      break;
    }
  }
  return index;
}

/** Places of the source's values that are carried whole. */
export function listCarried({ nodes, settings, shared }: Workflow): Set<JsonPointer> {
  const values = [
    ...valuesOfSettings(settings),
    ...shared.map(({ value }) => value),
    ...nodes.flatMap((node) => [
      ...valuesOfSettings(node.settings),
      ...settingsOfAssistant(node),
      ...carriedBy(node),
      ...(node.request?.operation?.replaced ?? []),
    ]),
  ];
  const schemas = nodes.flatMap(({ request }) =>
    request === null || request.responseSchema === null ? [] : request.responses,
  );
  const places = schemas.map(({ sourceAt }) => sourceAt);
  return new Set(
    places.concat(values.flatMap(({ origin }) => (origin.kind === 'source' ? [origin.at] : []))),
  );
}

function valuesOfSettings(settings: Settings): Traced<Json>[] {
  return settingNames.flatMap((name): Traced<Json>[] => {
    const setting = settings[name];
    return setting === undefined ? [] : [setting];
  });
}

/** Settings of a node that is an assistant already, model, voice and transcriber aside. */
export function settingsOfAssistant({ assistant }: WorkflowNode): Traced<Json>[] {
  return (assistant?.settings ?? []).map(({ value }) => value);
}

/** Fields of a node's tool that are carried as they are. */
export function carriedBy({ request, transfer }: WorkflowNode): Traced<Json>[] {
  const destinations = transfer === null ? [] : [transfer, ...transfer.others];
  return [
    ...(request === null ? [] : [...request.passed, ...request.statics]),
    ...destinations.flatMap(({ passed }) => passed),
  ].map(({ value }) => value);
}

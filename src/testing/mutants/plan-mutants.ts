/** Extraction plans that are gone, that stand elsewhere, or where none belongs. */
import type { JsonObject } from '../../compiler/ir/json.js';
import { drop, put } from './edit.js';
import { memberOf } from './licences.js';
import { type Operator, operator } from './mutant.js';
import { quote } from './rewording.js';
import { type DestinationView, isSame, objectOf, type SquadView } from './squad-view.js';

const field = 'variableExtractionPlan';

export const planMutants: readonly Operator[] = [
  operator('plan-dropped', 4, 'A handoff carries nothing.', function* (view) {
    for (const { at, schema, target } of view.destinations) {
      if (namesIn(schema).length === 0) continue;
      yield { squad: drop(view.squad, `${at}/${field}`), at, text: `to ${quote(target)}` };
    }
  }),

  operator('plan-moved', 4, 'Another handoff of the assistant has the plan.', function* (view) {
    for (const [one, other] of siblings(view)) {
      if (one.schema === null || namesIn(one.schema).length === 0 || other.schema !== null)
        continue;
      const squad = put(view.squad, `${other.at}/${field}`, one.value[field]!);
      const text = `from ${quote(one.target)} to ${quote(other.target)}`;
      yield { squad: drop(squad, `${one.at}/${field}`), at: one.at, text };
    }
  }),

  operator('plans-swapped', 4, 'Two handoffs have each other’s plan.', function* (view) {
    for (const [one, other] of siblings(view)) {
      // Plans are sets of properties: only where those differ is there something to swap.
      if (one.at > other.at || one.schema === null || other.schema === null) continue;
      if (isSame(sorted(one.schema), sorted(other.schema))) continue;
      const half = put(view.squad, `${one.at}/${field}`, other.value[field]!);
      const squad = put(half, `${other.at}/${field}`, one.value[field]!);
      yield { squad, at: one.at, text: `${quote(one.target)} and ${quote(other.target)}` };
    }
  }),

  operator('plan-invented', 4, 'A handoff carries what nobody reads there.', function* (view) {
    for (const destination of view.destinations) {
      if (destination.schema !== null) continue;
      const { at, target } = destination;
      // What the source carries here is the whole of it; an argument of the tool counts too.
      const name = unknownVariable(view, destination);
      const plan = { schema: planOf({ [name]: { type: 'string', description: name } }) };
      const squad = put(view.squad, `${at}/${field}`, plan);
      yield { squad, at, text: `${quote(name)} to ${quote(target)}` };
    }
  }),

  operator('context-changed', 8, 'Another part of the conversation crosses.', function* (view) {
    for (const { at, value, target } of view.destinations) {
      const context = objectOf(value['contextEngineeringPlan']);
      const type = context['type'] === 'none' ? 'all' : 'none';
      const squad = put(view.squad, `${at}/contextEngineeringPlan`, { type });
      yield { squad, at, text: `${type} to ${quote(target)}` };
    }
  }),

  operator('context-dropped', 8, 'A handoff does not say what crosses.', function* (view) {
    for (const { at, value, target } of view.destinations) {
      if (value['contextEngineeringPlan'] === undefined) continue;
      const squad = drop(view.squad, `${at}/contextEngineeringPlan`);
      yield { squad, at, text: `to ${quote(target)}` };
    }
  }),
];

/** A variable that does not cross with the destination: one of the source's, or a new one. */
export function unknownVariable(
  view: SquadView,
  destination: Pick<DestinationView, 'schema' | 'toolAt' | 'member'>,
): string {
  const tool = memberOf(view, destination).tools.find(({ at }) => at === destination.toolAt);
  const demanded = objectOf(
    objectOf(objectOf(tool?.value['function'])['parameters'])['properties'],
  );
  const known = new Set([...namesIn(destination.schema), ...Object.keys(demanded)]);
  return view.source.variables.find((name) => !known.has(name)) ?? view.source.word;
}

export function planOf(properties: JsonObject): JsonObject {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** Names of the variables that a plan carries. */
export function namesIn(schema: JsonObject | null): string[] {
  return schema === null ? [] : Object.keys(objectOf(schema['properties']));
}

/** Ordered pairs of destinations of one assistant that lead to different ones. */
function* siblings({ members }: SquadView): Iterable<readonly [DestinationView, DestinationView]> {
  for (const { destinations } of members) {
    for (const one of destinations) {
      for (const other of destinations) if (one.target !== other.target) yield [one, other];
    }
  }
}

function sorted(schema: JsonObject): [string, JsonObject[string]][] {
  return Object.entries(objectOf(schema['properties'])).sort(([a], [b]) => (a < b ? -1 : 1));
}

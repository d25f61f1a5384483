/** Extraction plans that carry something else than the captures. A plan is a set of properties. */
import { child } from '../../compiler/ir/ids.js';
import type { JsonObject } from '../../compiler/ir/json.js';
import { put, renameKey, withoutKey } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { namesIn, planOf, unknownVariable } from './plan-mutants.js';
import { quote, reword } from './rewording.js';
import { listOf, objectOf, type SquadView, textOf } from './squad-view.js';

export const planPropertyMutants: readonly Operator[] = [
  operator('plan-property-dropped', 4, 'A variable is not carried.', function* (view) {
    for (const { schema, at, name } of properties(view)) {
      const left = withoutKey(objectOf(schema['properties']), name);
      yield { squad: put(view.squad, at, planOf(left)), at, text: quote(name) };
    }
  }),

  operator('plan-property-added', 4, 'A handoff carries one variable more.', function* (view) {
    for (const destination of view.destinations) {
      const { schema, schemaAt } = destination;
      if (schema === null) continue;
      const name = unknownVariable(view, destination);
      const more = { [name]: { type: 'string', description: name } };
      const squad = put(
        view.squad,
        schemaAt,
        planOf({ ...objectOf(schema['properties']), ...more }),
      );
      yield { squad, at: schemaAt, text: quote(name) };
    }
  }),

  operator(
    'plan-property-renamed',
    4,
    'A variable is carried under another name.',
    function* (view) {
      const { word } = view.source;
      for (const { schema, at, name } of properties(view)) {
        const renamed = renameKey(objectOf(schema['properties']), child('', name), word);
        yield { squad: put(view.squad, at, planOf(renamed)), at, text: `${quote(name)}: ${word}` };
      }
    },
  ),

  operator('plan-property-retyped', 4, 'A variable is carried as another type.', function* (view) {
    for (const { at, name, property } of properties(view)) {
      const type = property['type'] === 'string' ? 'number' : 'string';
      const place = `${child(`${at}/properties`, name)}/type`;
      yield { squad: put(view.squad, place, type), at: place, text: `${quote(name)}: ${type}` };
    }
  }),

  operator('plan-property-optional', 4, 'A variable may be missing.', function* (view) {
    for (const { schema, at, name } of properties(view)) {
      const required = listOf(schema['required']);
      const left = required.filter((it) => it !== name);
      if (left.length === required.length) continue;
      yield { squad: put(view.squad, `${at}/required`, left), at, text: quote(name) };
    }
  }),

  operator('plan-description-changed', 4, 'A variable is described otherwise.', function* (view) {
    for (const { at, name, property } of properties(view)) {
      const described = reword(textOf(property['description']), view.source.word);
      if (described === null) continue;
      const place = `${child(`${at}/properties`, name)}/description`;
      yield { squad: put(view.squad, place, described), at: place, text: quote(described) };
    }
  }),

  operator('plan-enum-changed', 4, 'A variable may have other values.', function* (view) {
    for (const { at, name, property } of properties(view)) {
      if (property['type'] !== 'string') continue;
      const values = listOf(property['enum']);
      const others = values.length > 1 ? values.slice(1) : [...values, view.source.word];
      const place = `${child(`${at}/properties`, name)}/enum`;
      yield { squad: put(view.squad, place, others), at: place, text: quote(name) };
    }
  }),

  operator('plan-enum-dropped', 4, 'A variable may have any value.', function* (view) {
    for (const { at, name, property } of properties(view)) {
      if (listOf(property['enum']).length === 0) continue;
      const place = child(`${at}/properties`, name);
      yield { squad: put(view.squad, place, withoutKey(property, 'enum')), at: place, text: name };
    }
  }),

  operator('plan-alias-invented', 4, 'A handoff overwrites what it carries.', function* (view) {
    const { word } = view.source;
    for (const { planAt, plan, name } of properties(view)) {
      // The variable crosses because it is read behind the handoff: there it now has this value.
      if (!/^[a-z]\w{0,39}$/i.test(name)) continue;
      const aliases = [...listOf(plan['aliases']), { key: name, value: word }];
      const squad = put(view.squad, planAt, { ...plan, aliases });
      yield { squad, at: planAt, text: quote(name) };
    }
  }),
];

interface PropertyView {
  readonly planAt: string;
  readonly plan: JsonObject;
  readonly schema: JsonObject;
  /** Where the schema stands. */
  readonly at: string;
  readonly name: string;
  readonly property: JsonObject;
}

function* properties({ destinations }: SquadView): Iterable<PropertyView> {
  for (const { schema, schemaAt, at, value } of destinations) {
    for (const name of namesIn(schema)) {
      yield {
        planAt: `${at}/variableExtractionPlan`,
        plan: objectOf(value['variableExtractionPlan']),
        schema: schema!,
        at: schemaAt,
        name,
        property: objectOf(objectOf(schema!['properties'])[name]),
      };
    }
  }
}

/** What only the platform's shape has: refusals of handoffs, and arguments that they demand. */
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { drop, put, withoutKey } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { quote } from './rewording.js';
import { listOf, objectOf, type SquadView, type ToolView, textOf } from './squad-view.js';

export const platformMutants: readonly Operator[] = [
  operator('guard-dropped', 3, 'An exact condition is left to the model.', function* (view) {
    for (const { at, value, type } of view.tools) {
      if (value['rejectionPlan'] === undefined) continue;
      yield { squad: drop(view.squad, `${at}/rejectionPlan`), at, text: type };
    }
  }),

  operator('guard-inverted', 3, 'A handoff is refused where it should be made.', function* (view) {
    for (const { at, value, liquid } of guards(view)) {
      // Both words change places at once; a guard that does not print them is left alone.
      const other = liquid.replaceAll(
        /\}(false|true)\{/g,
        (_, printed: string) => `}${printed === 'true' ? 'false' : 'true'}{`,
      );
      if (other === liquid) continue;
      yield { squad: put(view.squad, `${at}/liquid`, other), at, text: textOf(value['type']) };
    }
  }),

  operator('guard-always-open', 3, 'A guard refuses nothing.', function* (view) {
    for (const { at, liquid } of guards(view)) {
      if (liquid === 'false') continue;
      yield { squad: put(view.squad, `${at}/liquid`, 'false'), at, text: 'false' };
    }
  }),

  operator('argument-optional', 4, 'A handoff does without an argument.', function* (view) {
    for (const { tool, at, parameters, name } of handoffArguments(view)) {
      const required = listOf(parameters['required']).filter((it) => it !== name);
      const squad = put(view.squad, `${at}/required`, required);
      yield { squad, at: tool.at, text: quote(name) };
    }
  }),

  operator('argument-dropped', 4, 'A handoff does not ask for an argument.', function* (view) {
    for (const { tool, at, parameters, name } of handoffArguments(view)) {
      const properties = withoutKey(objectOf(parameters['properties']), name);
      const required = listOf(parameters['required']).filter((it) => it !== name);
      const squad = put(view.squad, at, { ...parameters, properties, required });
      yield { squad, at: tool.at, text: quote(name) };
    }
  }),

  operator('argument-retyped', 4, 'An argument is of another type.', function* (view) {
    for (const { tool, at, parameters, name } of handoffArguments(view)) {
      const property = objectOf(objectOf(parameters['properties'])[name]);
      const type = property['type'] === 'string' ? 'number' : 'string';
      const properties: JsonObject = {
        ...objectOf(parameters['properties']),
        [name]: { ...property, type },
      };
      const squad = put(view.squad, `${at}/properties`, properties);
      yield { squad, at: tool.at, text: `${quote(name)}: ${type}` };
    }
  }),
];

function* guards({ tools }: SquadView) {
  for (const tool of tools) {
    const conditions = listOf(objectOf(tool.value['rejectionPlan'])['conditions']);
    for (const [index, condition] of conditions.entries()) {
      const value = objectOf(condition);
      const at = `${tool.at}/rejectionPlan/conditions/${index}`;
      if (typeof value['liquid'] === 'string') yield { at, value, liquid: value['liquid'] };
    }
  }
}

interface Argument {
  readonly tool: ToolView;
  /** Where the parameters stand. */
  readonly at: string;
  readonly parameters: JsonObject;
  readonly name: string;
}

/** Arguments of handoff tools, but for the one that names the destination. */
function* handoffArguments({ tools }: SquadView): Iterable<Argument> {
  for (const tool of tools) {
    const parameters: Json | undefined = objectOf(tool.value['function'])['parameters'];
    if (tool.type !== 'handoff' || !isJsonObject(parameters)) continue;
    for (const name of Object.keys(objectOf(parameters['properties']))) {
      if (name === 'destination') continue;
      yield { tool, at: `${tool.at}/function/parameters`, parameters, name };
    }
  }
}

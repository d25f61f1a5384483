/**
 * Arguments that a handoff demands: too few, too many, of another kind, or where a plan belongs.
 * What is required holds the handoff up until it is given; all else may be missing after it.
 */
import { isJsonObject, type JsonObject } from '../../compiler/ir/json.js';
import { put, withoutKey } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { namesIn, planOf, unknownVariable } from './plan-mutants.js';
import { quote, reword } from './rewording.js';
import { listOf, objectOf, type SquadView, type ToolView, textOf } from './squad-view.js';

export const argumentMutants: readonly Operator[] = [
  operator('argument-optional', 4, 'A handoff does without an argument.', function* (view) {
    for (const { tool, at, parameters, name } of handoffArguments(view)) {
      const required = listOf(parameters['required']).filter((it) => it !== name);
      const squad = put(view.squad, `${at}/required`, required);
      yield { squad, at: tool.at, text: quote(name) };
    }
  }),

  operator('argument-dropped', 4, 'A handoff does not ask for an argument.', function* (view) {
    for (const { tool, at, parameters, name } of handoffArguments(view)) {
      const squad = put(view.squad, at, without(parameters, name));
      yield { squad, at: tool.at, text: quote(name) };
    }
  }),

  operator('argument-retyped', 4, 'An argument is of another type.', function* (view) {
    for (const argument of handoffArguments(view)) {
      const { tool, name, property } = argument;
      const type = property['type'] === 'string' ? 'number' : 'string';
      const squad = withProperty(view, argument, { ...property, type });
      yield { squad, at: tool.at, text: `${quote(name)}: ${type}` };
    }
  }),

  operator('argument-redescribed', 4, 'An argument is described otherwise.', function* (view) {
    for (const argument of handoffArguments(view)) {
      const { tool, name, property } = argument;
      const description = reword(textOf(property['description']), view.source.word);
      if (description === null) continue;
      const squad = withProperty(view, argument, { ...property, description });
      yield { squad, at: tool.at, text: `${quote(name)}: ${quote(description)}` };
    }
  }),

  operator('argument-added', 4, 'A handoff waits for what nobody reads there.', function* (view) {
    for (const { tool, at, parameters } of handoffParameters(view)) {
      const [destination] = tool.destinations;
      if (destination === undefined) continue;
      const name = unknownVariable(view, destination);
      // The argument of this name is there already.
      if (name === 'destination') continue;
      const more = { [name]: { type: 'string', description: name } };
      const properties = { ...objectOf(parameters['properties']), ...more };
      const required = [...listOf(parameters['required']), name];
      const squad = put(view.squad, at, { ...parameters, properties, required });
      yield { squad, at: tool.at, text: quote(name) };
    }
  }),

  operator('argument-to-plan', 4, 'What a handoff waited for may be missing.', function* (view) {
    for (const { tool, at, parameters, name, property } of handoffArguments(view)) {
      let squad = put(view.squad, at, without(parameters, name));
      for (const { at: place, schema } of tool.destinations) {
        const plan = planOf({ ...objectOf(schema?.['properties']), [name]: property });
        squad = put(squad, `${place}/${planField}`, { schema: plan });
      }
      yield { squad, at: tool.at, text: quote(name) };
    }
  }),

  operator('plan-to-arguments', 4, 'A handoff waits for what may be missing.', function* (view) {
    // The other target has no arguments.
    if (view.wrapped) return;
    for (const { at, toolAt, schema, value, target } of view.destinations) {
      const names = namesIn(schema).filter((name) => name !== 'destination');
      const tool = view.tools.find((it) => it.at === toolAt);
      if (names.length === 0 || tool === undefined || tool.destinations.length > 1) continue;
      const declared = objectOf(tool.value['function']);
      const { type, properties, required } = parametersOf(declared, target);
      const planned = objectOf(schema!['properties']);
      const moved = Object.fromEntries(names.map((name) => [name, planned[name] ?? null]));
      const parameters = {
        type,
        properties: { ...properties, ...moved },
        required: [...required, ...names],
      };
      const squad = put(view.squad, at, withoutKey(value, planField));
      yield {
        squad: put(squad, `${toolAt}/function`, { ...declared, parameters }),
        at,
        text: `${names.map(quote).join(', ')} to ${quote(target)}`,
      };
    }
  }),
];

const planField = 'variableExtractionPlan';

interface ToolDemand {
  readonly tool: ToolView;
  /** Where the parameters stand. */
  readonly at: string;
  readonly parameters: JsonObject;
}

interface Argument extends ToolDemand {
  readonly name: string;
  readonly property: JsonObject;
}

/** The handoff tools that demand something. */
function* handoffParameters({ tools }: SquadView): Iterable<ToolDemand> {
  for (const tool of tools) {
    const { parameters } = objectOf(tool.value['function']);
    if (tool.type !== 'handoff' || !isJsonObject(parameters)) continue;
    yield { tool, at: `${tool.at}/function/parameters`, parameters };
  }
}

/** Arguments of handoff tools, but for the one that names the destination. */
function* handoffArguments(view: SquadView): Iterable<Argument> {
  for (const each of handoffParameters(view)) {
    const properties = objectOf(each.parameters['properties']);
    for (const name of Object.keys(properties)) {
      if (name === 'destination') continue;
      yield { ...each, name, property: objectOf(properties[name]) };
    }
  }
}

/** The parameters without one of the arguments. */
function without(parameters: JsonObject, name: string): JsonObject {
  return {
    ...parameters,
    properties: withoutKey(objectOf(parameters['properties']), name),
    required: listOf(parameters['required']).filter((it) => it !== name),
  };
}

function withProperty(
  { squad }: SquadView,
  { at, parameters, name }: Argument,
  property: JsonObject,
): JsonObject {
  const properties = { ...objectOf(parameters['properties']), [name]: property };
  return put(squad, `${at}/properties`, properties);
}

/** What the function demands; of one that demands nothing, what leads to its destination. */
function parametersOf({ parameters }: JsonObject, target: string) {
  const { properties, required } = objectOf(parameters);
  const destination = { type: 'string', enum: [target] };
  return {
    type: 'object',
    properties: { destination, ...objectOf(properties) },
    required: isJsonObject(parameters) ? listOf(required) : ['destination'],
  };
}

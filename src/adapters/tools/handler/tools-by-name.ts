/**
 * The tools that a handler knows, by the names under which they are called.
 *
 * In: the definitions, and the further names of the configuration. Out: each tool with what only it
 * has bound. A bound text with `{{…}}` is one that the platform fills in: its value comes with each
 * call, as a text, and is judged like what a caller says.
 */
import { toolDefinitions } from '../table/definitions.js';
import type { ToolDefinition } from '../table/tool.js';
import { type Bound, type ToolHandlerOptions, wrongOption } from './options.js';
import { type Check, checkOf } from './schema-check.js';

export interface Tool {
  readonly name: string;
  /** Whether the configuration has made it, not the table alone. */
  readonly configured: boolean;
  readonly definition: ToolDefinition;
  readonly bind: Bound;
  /** Parameters that the platform fills in. */
  readonly filled: ReadonlySet<string>;
  /** By parameter. */
  readonly checks: ReadonlyMap<string, Check>;
}

/** A map: a name of a tool is anything that a model may write. */
export function toolsByName(given: ToolHandlerOptions['tools'] = {}): ReadonlyMap<string, Tool> {
  const tools = Object.values(toolDefinitions).map((definition) =>
    toolOf(definition.name, definition),
  );
  for (const [name, binding] of Object.entries(given)) {
    const { operation, bind = {} } =
      typeof binding === 'string' ? { operation: binding } : (binding ?? {});
    const definition = toolDefinitions[`${operation}`];
    if (!definition) throw wrongOption(`tools.${name}`);
    tools.push(toolOf(name, definition, bind));
  }
  // Of the same name, the later one counts: the configuration's.
  return new Map(tools.map((tool) => [tool.name, tool]));
}

function toolOf(name: string, definition: ToolDefinition, bind?: Bound): Tool {
  const bound = Object.entries(bind ?? {});
  for (const [key, value] of bound) {
    const parameter = definition.parameters.find((each) => each.name === key);
    // What no caller decides must not come with a call.
    if (isTemplate(value) && parameter?.from !== 'caller')
      throw wrongOption(`tools.${name}.bind.${key}`);
  }
  return {
    name,
    configured: bind !== undefined,
    definition,
    bind: Object.fromEntries(bound.filter(([, value]) => !isTemplate(value))),
    filled: new Set(bound.filter(([, value]) => isTemplate(value)).map(([key]) => key)),
    checks: new Map(definition.parameters.map((each) => [each.name, checkOf(each.schema)])),
  };
}

export function isTemplate(value: unknown): boolean {
  return typeof value === 'string' && /\{[{%]/.test(value);
}

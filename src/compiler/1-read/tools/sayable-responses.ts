/**
 * What a server of tools answers: the sayable values of an operation, by their names.
 *
 * The source reads a variable from a place of the service's own answer, `responseData.Status`. The
 * server passes on what may be said and nothing else, so the variable is read by the name that the
 * value has in the table; a place that the table does not have is none that is ever told.
 */
import type { ToolDefinition } from '../../../adapters/tools/table/tool.js';
import type { ResponseVariable } from '../../ir/workflow.js';

/** The name of the value that the variable is read from; null where it may not be said. */
export function sayableName(
  { sayable }: ToolDefinition,
  { name: variable, path, value }: ResponseVariable,
): string | null {
  // Without path and template it is a property of the response's schema.
  const place = path === '' ? (value === null ? variable : placeOf(value.value)) : path;
  const found = sayable.find(({ name, at }) => name === place || at === pointerOf(place));
  return found?.name ?? null;
}

/** `a.b` of `{{ $.a.b }}` and of `{{ tool.response.a.b }}`. */
function placeOf(template: string): string {
  return /^\s*\{\{\s*(?:\$|tool\.response)\.([^{}|\s]+)\s*\}\}\s*$/.exec(template)?.[1] ?? '';
}

/** `/a/b` for `a.b`. One entry of a list, like `a[0].b`, is never told by itself. */
function pointerOf(path: string): string {
  return `/${path.replaceAll('.', '/')}`;
}

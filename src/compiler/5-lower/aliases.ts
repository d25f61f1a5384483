/** What a tool's response sets: an alias per variable, or the schema of the source. */
import { synthesized, traced } from '../ir/provenance.js';
import type { ResponsesIr } from '../ir/squad-ir.js';
import type { WorkflowNode } from '../ir/workflow.js';
import { originOf } from './segments.js';

/**
 * Response variables become aliases, which the tool's own response fills; those of a schema stay in
 * the schema.
 */
export function responsesOf({ request }: WorkflowNode): ResponsesIr {
  const aliases = (request?.responses ?? []).flatMap(({ name, path, value, sourceAt }) => {
    if (value !== null) return [{ key: name, value: traced(value.value, originOf(value)) }];
    if (path === '') return [];
    const template = `{{ $${path.startsWith('[') ? '' : '.'}${path} }}`;
    return [{ key: name, value: traced(template, synthesized('response-path', [sourceAt])) }];
  });
  // A key can stand once; where the source sets a name twice, the later one counts.
  const unique = new Map(aliases.map((alias) => [alias.key, alias]));
  return { schema: request?.responseSchema ?? null, aliases: [...unique.values()] };
}

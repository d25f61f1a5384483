/** What a tool's response sets (DESIGN section 5, "apiRequest"). */
import { child } from '../ir/ids.js';
import { synthesized, traced } from '../ir/provenance.js';
import type { AliasIr } from '../ir/squad-ir.js';
import type { WorkflowNode } from '../ir/workflow.js';

/** Response variables become aliases, which the tool's own response fills. */
export function aliasesOf(node: WorkflowNode): AliasIr[] {
  const aliases = (node.request?.responses ?? []).map(({ name, path, at }) => ({
    key: name,
    value: traced(
      `{{ $${path.startsWith('[') ? '' : '.'}${path} }}`,
      synthesized('response-path', [child(at, 'path')]),
    ),
  }));
  // A key can stand once; where the source sets a name twice, the later one counts.
  return [...new Map(aliases.map((alias) => [alias.key, alias])).values()];
}

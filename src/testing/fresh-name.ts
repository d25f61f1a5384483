/** Names that a workflow does not use yet. */
import type { SpecWorkflow } from './spec-workflow.js';

/** The name itself, or with a number, such that it stands nowhere in the workflow. */
export function freshName(name: string, workflow: SpecWorkflow): string {
  const written = JSON.stringify(workflow).toLowerCase();
  let fresh = name;
  for (let count = 2; written.includes(fresh.toLowerCase()); count += 1) fresh = `${name}_${count}`;
  return fresh;
}

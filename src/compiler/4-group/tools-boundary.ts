/**
 * The boundary `tools`: assistants are split only where the tools differ.
 *
 * With the stages so far as atoms, v joins the stage that holds all its predecessor atoms, unless
 * v has tools and one of those atoms has tools and the two sets differ; never when v holds the
 * start or a global node. Atoms are visited predecessors first; where an answer keeps a cycle
 * apart there is no such order, and the visit is repeated until nothing joins: each repetition
 * leaves fewer stages.
 */
import { targetsAt } from '../../graph/adjacency.js';
import { computeComponents } from '../../graph/components.js';
import type { NodeIndex } from '../ir/ids.js';
import { givenToolKey } from '../ir/workflow.js';
import { type Joining, startJoining } from './joining.js';
import { computeStageSteps, type StageSteps } from './stage-steps.js';
import { isEntered, type Stage, type StageGraph } from './stages.js';

export function joinAcrossSameTools(within: StageGraph, atoms: readonly Stage[]): readonly Stage[] {
  const steps = computeStageSteps(within, atoms);
  const tools = atoms.map((atom) => toolsOf(within, atom));
  const joining = startJoining(within, atoms);
  const mayJoin = predecessorsFirst(steps).filter(
    (atom) => !isEntered(within, atoms[atom]!) && !differInTools(atom, steps, tools),
  );
  let isOpen = true;
  while (isOpen) {
    isOpen = false;
    for (const atom of mayJoin) {
      const home = homeOf(atom, steps, joining);
      if (home !== null && joining.join(home, atom)) isOpen = true;
    }
  }
  return joining.finish('tools-boundary');
}

/**
 * The stage that holds all predecessors of the atom, where there is one. Predecessors in its own
 * stage, which joined it before and lead back through a tool that they were given, do not count.
 */
function homeOf(atom: number, { predecessors }: StageSteps, { setOf }: Joining): number | null {
  const own = setOf(atom);
  let home: number | null = null;
  for (const before of targetsAt(predecessors, atom)) {
    const set = setOf(before);
    if (set === own || set === home) continue;
    if (home !== null) return null;
    home = set;
  }
  return home;
}

function differInTools(atom: number, steps: StageSteps, tools: readonly string[]): boolean {
  const own = tools[atom]!;
  if (own === '') return false;
  return targetsAt(steps.predecessors, atom).some(
    (before) => tools[before] !== '' && tools[before] !== own,
  );
}

/** The atom's own requests, transfers and given tools, as one comparable text. */
function toolsOf(within: StageGraph, atom: Stage): string {
  const { workflow, successors } = within.graph;
  const found = new Set<string>();
  for (const node of atom.nodes) {
    // What every stage was given is nobody's own.
    if (atom.given.has(node)) continue;
    const { role, calls, tools } = workflow.nodes[node]!;
    if (role === 'act') found.add(`node ${node}`);
    else for (const tool of tools) found.add(`given ${givenToolKey(tool)}`);
    for (const call of calls) found.add(`custom ${call.tool}`);
    for (let slot = successors.offsets[node]!; slot < successors.offsets[node + 1]!; slot += 1) {
      const target = within.representative[successors.targets[slot]!]! as NodeIndex;
      if (workflow.nodes[target]!.type === 'transferCall') found.add(`node ${target}`);
    }
  }
  return [...found].sort().join('\n');
}

function predecessorsFirst({ successors }: StageSteps): number[] {
  const { of } = computeComponents(successors);
  return Array.from(of.keys()).sort((a, b) => of[b]! - of[a]! || a - b);
}

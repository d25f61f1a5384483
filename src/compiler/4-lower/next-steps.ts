/** What comes after a step: inner edges, exits, handoffs, and what can happen at any time. */
import type { NodeIndex } from '../ir/ids.js';
import type { Step } from '../ir/region-map.js';
import type { Segment } from '../ir/squad-ir.js';
import type { Condition, WorkflowNode } from '../ir/workflow.js';
import { toLegalName } from '../names/legal-names.js';
import {
  conditionOf,
  hasConditionedSibling,
  whenCalledFor,
  whenHandedOff,
  whenLeft,
} from './conditions.js';
import type { Scene } from './prompt.js';
import { enumerate, quoted, wording } from './segments.js';
import { callName, sayLine } from './spoken.js';
import { describeDestinations } from './transfers.js';

/** One bullet per way on from the node, in source order. */
export function writeSteps(scene: Scene, from: NodeIndex): Segment[] {
  const steps = scene.region.stepsFrom.get(from) ?? [];
  return steps.flatMap((step) => writeNextStep(scene, step));
}

function writeNextStep(scene: Scene, step: Step): Segment[] {
  const condition = conditionOf(scene, step);
  const before = [wording('- '), ...demands(scene, condition)];
  switch (step.kind) {
    case 'inner':
      return [...before, ...whenGone(scene, step), ...goTo(scene, step.to)];
    case 'exit':
      return [...before, ...when(whenLeft(scene, step), condition), ...leave(scene, step.to)];
    case 'handoff':
      return [
        ...before,
        ...when(whenHandedOff(scene, step), condition),
        wording(`, hand off to "${scene.cast.names[step.region]}"\n`),
      ];
  }
}

/** What can happen at any time: the global nodes, as this assistant sees them. */
export function writeGlobals(scene: Scene): Segment[] {
  const bullets = scene.graph.globals.flatMap((global) => writeGlobal(scene, global));
  return bullets.length === 0 ? [] : [wording('\nAt any time\n'), ...bullets];
}

function writeGlobal(scene: Scene, global: NodeIndex): Segment[] {
  const { graph, cast, numbers } = scene;
  const node = graph.workflow.nodes[global]!;
  const home = cast.homeOf(global);
  const isExit = node.role === 'exit';
  const name =
    isExit || home === null ? toLegalName(node.name ?? node.id) : cast.names[home.index]!;
  const condition = node.global?.condition ?? null;
  const sentence = whenCalledFor(graph, global, name);
  const opening = [wording('- '), ...demands(scene, condition), ...when(sentence, condition)];
  if (isExit) return [...opening, ...leave(scene, global)];
  if (numbers.has(global)) return [...opening, ...goTo(scene, global)];
  return [...opening, wording(`, hand off to "${name}"\n`)];
}

/** Squadc's own sentences bring their own "when" or "after". */
function when(sentence: readonly Segment[], condition: Condition | null): Segment[] {
  return condition === null ? [...sentence] : [wording('when '), ...sentence];
}

function whenGone(scene: Scene, step: Step): Segment[] {
  const condition = conditionOf(scene, step);
  if (condition !== null) return [wording('when '), quoted(condition)];
  return [wording(hasConditionedSibling(scene, step) ? 'otherwise' : 'when done')];
}

/** A step back to the node whose line the assistant speaks by itself repeats the line. */
function goTo(scene: Scene, to: NodeIndex): Segment[] {
  const target = `go to step ${scene.numbers.get(to)}\n`;
  const line = scene.spoken === to ? sayLine(scene.graph.workflow.nodes[to]!) : [];
  return line.length === 0
    ? [wording(`, ${target}`)]
    : [wording(':\n  '), ...line, wording(`  then ${target}`)];
}

/** Ends or transfers the call; what the exit says stands before it. */
function leave(scene: Scene, exit: NodeIndex): Segment[] {
  const node = scene.graph.workflow.nodes[exit]!;
  const instruction = node.systemPrompt === null ? [] : [quoted(node.systemPrompt), wording('\n')];
  const said = [sayLine(node), instruction].filter((part) => part.length > 0);
  const opening =
    said.length === 0
      ? [wording(', ')]
      : [wording(':\n'), ...said.flatMap((part) => [wording('  '), ...part]), wording('  ')];
  return [...opening, ...action(node), wording('\n')];
}

function action(node: WorkflowNode): Segment[] {
  if (node.type !== 'transferCall') return [wording('then end the call')];
  return [wording('then transfer the call to '), ...describeDestinations(node)];
}

/** What an exact condition needs before it can be judged. */
function demands({ cast }: Scene, condition: Condition | null): Segment[] {
  if (condition === null) return [];
  if (condition.call !== null) {
    return [wording(`first call the tool ${callName(condition.call, cast.tools)}; `)];
  }
  if (condition.routing !== 'extract') return [];
  const names = [...new Set(condition.uses.map((use) => use.name))];
  return names.length === 0 ? [] : [wording(`first make sure that you know ${enumerate(names)}; `)];
}

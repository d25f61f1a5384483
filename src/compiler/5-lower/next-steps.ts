/** What comes after a step: inner edges, exits, handoffs, and what can happen at any time. */
import type { NodeIndex } from '../ir/ids.js';
import type { Step } from '../ir/region-map.js';
import type { Condition, Text, WorkflowNode } from '../ir/workflow.js';
import { toLegalName } from '../names/legal-names.js';
import { whenCalledFor } from './conditions.js';
import type { Pen } from './pens.js';
import type { Scene } from './scene.js';
import { enumerate } from './segments.js';
import { callName, writeInstruction, writeLine } from './spoken.js';
import { writeDestinations } from './transfers.js';

/** One bullet per way on from the node, in source order. */
export function writeSteps(pen: Pen, scene: Scene, from: NodeIndex): void {
  const steps = scene.region.stepsFrom.get(from);
  if (steps === undefined) return;
  for (const step of steps) writeNextStep(pen, scene, step);
}

function writeNextStep(pen: Pen, scene: Scene, step: Step): void {
  const condition = scene.conditionOf(step);
  pen.words('- ');
  writeDemands(pen, scene, condition);
  switch (step.kind) {
    case 'inner':
      writeWhenGone(pen, scene, step, condition);
      writeGoTo(pen, scene, step.to);
      break;
    case 'exit':
      writeWhen(pen, scene.whenLeft(step), condition);
      writeLeaving(pen, scene, step.to);
      break;
    case 'handoff':
      writeWhen(pen, scene.whenHandedOff(step), condition);
      pen.words(`, hand off to "${scene.cast.names[step.region]}"\n`);
  }
}

/** What can happen at any time: the global nodes, as this assistant sees them. */
export function writeGlobals(pen: Pen, scene: Scene): void {
  const { globals } = scene.graph;
  if (globals.length === 0) return;
  pen.words('\nAt any time\n');
  for (const global of globals) writeGlobal(pen, scene, global);
}

function writeGlobal(pen: Pen, scene: Scene, global: NodeIndex): void {
  const { graph, cast } = scene;
  const node = graph.workflow.nodes[global]!;
  const home = cast.homeOf(global);
  const isExit = node.role === 'exit';
  const name =
    isExit || home === null ? toLegalName(node.name ?? node.id) : cast.names[home.index]!;
  const condition = node.global?.condition ?? null;
  pen.words('- ');
  writeDemands(pen, scene, condition);
  writeWhen(pen, whenCalledFor(graph, global, name), condition);
  if (isExit) writeLeaving(pen, scene, global);
  else if (scene.holds(global)) writeGoTo(pen, scene, global);
  else pen.words(`, hand off to "${name}"\n`);
}

/** Squadc's own sentences bring their own "when" or "after". */
function writeWhen(pen: Pen, sentence: Text, condition: Condition | null): void {
  if (condition !== null) pen.words('when ');
  pen.quote(sentence);
}

function writeWhenGone(pen: Pen, scene: Scene, step: Step, condition: Condition | null): void {
  if (condition !== null) writeWhen(pen, condition, condition);
  else pen.words(scene.hasConditionedSibling(step) ? 'otherwise' : 'when done');
}

/** A step back to the node whose line the assistant speaks by itself repeats the line. */
function writeGoTo(pen: Pen, scene: Scene, to: NodeIndex): void {
  const target = `go to step ${scene.numberOf(to)}\n`;
  const node = scene.graph.workflow.nodes[to]!;
  if (scene.spoken !== to || node.firstMessage === null) {
    pen.words(`, ${target}`);
    return;
  }
  pen.words(':\n  ');
  writeLine(pen, node);
  pen.words(`  then ${target}`);
}

/** Ends or transfers the call; what the exit says stands before it. */
function writeLeaving(pen: Pen, scene: Scene, exit: NodeIndex): void {
  const node = scene.graph.workflow.nodes[exit]!;
  if (node.firstMessage === null && node.systemPrompt === null) {
    pen.words(', ');
  } else {
    pen.words(':\n');
    if (node.firstMessage !== null) pen.words('  ');
    writeLine(pen, node);
    if (node.systemPrompt !== null) pen.words('  ');
    writeInstruction(pen, node);
    pen.words('  ');
  }
  writeAction(pen, node);
  pen.words('\n');
}

function writeAction(pen: Pen, node: WorkflowNode): void {
  if (node.type !== 'transferCall') {
    pen.words('then end the call');
    return;
  }
  pen.words('then transfer the call to ');
  writeDestinations(pen, node);
}

/** What an exact condition needs before it can be judged. */
function writeDemands(pen: Pen, { cast }: Scene, condition: Condition | null): void {
  if (condition === null) return;
  if (condition.call !== null) {
    pen.words(`first call the tool ${callName(condition.call, cast.tools)}; `);
    return;
  }
  if (condition.routing !== 'extract') return;
  const names = [...new Set(condition.uses.map((use) => use.name))];
  if (names.length > 0) pen.words(`first make sure that you know ${enumerate(names)}; `);
}

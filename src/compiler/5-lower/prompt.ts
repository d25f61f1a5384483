/**
 * The system message of an assistant.
 *
 * In: a region with its names. Out: the message, and its pieces with their origins. Invariants: every
 * text of the region's nodes stands in it word for word; squadc's own words read no variable and say
 * "end the call" only where a call can end.
 *
 * Example:
 *     You are the assistant "intake" of a phone call. …
 *
 *     Step 1
 *     Greet the caller and ask what they need.
 *     - when caller states what they need, go to step 2
 */
import { type Origin, synthesized } from '../ir/provenance.js';
import { type Capture, placesOf, type Text, type WorkflowNode } from '../ir/workflow.js';
import { writeGlobals, writeSteps } from './next-steps.js';
import type { Pen } from './pens.js';
import type { Lead, Scene } from './scene.js';
import { originOf, originOfName, uniqueTexts } from './segments.js';
import { writeInstruction, writeLine, writeToolCalls } from './spoken.js';

export function writePrompt(pen: Pen, scene: Scene): void {
  const { globalPrompt } = scene.graph.workflow;
  if (globalPrompt !== null) {
    pen.quote(globalPrompt);
    pen.words('\n\n');
  }
  pen.words(
    `You are the assistant "${scene.name}" of a phone call. ` +
      'Work through the numbered steps; the lines under a step say what comes next.\n',
  );
  if (scene.region.entries.length > 1) writeEntries(pen, scene);
  const { nodes } = scene.graph.workflow;
  let number = 0;
  for (const node of scene.region.nodes) {
    number += 1;
    writeStep(pen, scene, nodes[node]!, number);
  }
  writeGlobals(pen, scene);
}

/** With several ways in, the prompt opens with what leads where. */
function writeEntries(pen: Pen, scene: Scene): void {
  const { region, cast, graph } = scene;
  for (const entry of region.entries) {
    const begin = `, begin at step ${scene.numberOf(entry)}.\n`;
    if (entry === graph.start) {
      pen.words('At the start of the call');
      pen.words(begin);
    }
    const leads = cast.leadingTo(entry);
    writeConditions(pen, sentencesOf(leads, true), begin);
    for (const sentence of sentencesOf(leads, false)) {
      pen.derive(capitalize(sentence.value), sentence, originOf);
      pen.words(begin);
    }
  }
}

function sentencesOf(leads: readonly Lead[], isCondition: boolean): readonly Text[] {
  const some = leads.filter((lead) => lead.isCondition === isCondition);
  return uniqueTexts(some.map(({ sentence }) => sentence));
}

function writeConditions(pen: Pen, conditions: readonly Text[], begin: string): void {
  if (conditions.length === 0) return;
  conditions.forEach((condition, at) => {
    pen.words(at === 0 ? 'If ' : '; or ');
    pen.quote(condition);
  });
  pen.words(begin);
}

function capitalize(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}

function writeStep(pen: Pen, scene: Scene, node: WorkflowNode, number: number): void {
  pen.words(`\nStep ${number}\n`);
  if (scene.spoken !== node.index) writeLine(pen, node);
  writeInstruction(pen, node);
  for (const capture of node.captures) {
    if (capture.alias === undefined) writeCapture(pen, node, capture);
    else writeAlias(pen, capture, capture.alias);
  }
  writeToolCalls(pen, scene, node);
  writeSteps(pen, scene, node.index);
}

function writeCapture(pen: Pen, node: WorkflowNode, capture: Capture): void {
  pen.words('- find out ');
  pen.derive(capture.name, capture, originOfFound);
  if (capture.origin.kind === 'source') pen.derive(` (${capture.type})`, capture, originOfType);
  else pen.derive(` (${capture.type})`, node, originOfTypeAt);
  if (capture.description !== null) {
    pen.words(': ');
    pen.quote(capture.description);
  }
  if (capture.enum !== null) {
    pen.derive(`; one of ${capture.enum.join(', ')}`, capture, originOfChoices);
  }
  pen.words('\n');
}

/** A variable that an answer says is found out has no place in the source. */
function originOfFound(capture: Capture): Origin {
  return capture.origin.kind === 'source' ? originOfName(capture) : capture.origin;
}

function originOfType(capture: Capture): Origin {
  return synthesized('type', [placesOf(capture).type]);
}

function originOfTypeAt({ at }: WorkflowNode): Origin {
  return synthesized('type', [at]);
}

function originOfChoices(capture: Capture): Origin {
  return synthesized('enum', [placesOf(capture).enum]);
}

/**
 * What an alias is made of, as the source has it: the platform would fill the template in when the
 * assistant begins, before anything is there to fill it with.
 */
function writeAlias(pen: Pen, capture: Capture, value: Text): void {
  // A template that ends such a passage by itself cannot stand inside of one.
  const isClosed = /\{%-?\s*endraw\b/.test(value.value);
  pen.words('- derive ');
  pen.derive(capture.name, capture, originOfName);
  pen.words(isClosed ? ' as ' : ' as {% raw %}');
  pen.quote(value);
  pen.words(isClosed ? '\n' : '{% endraw %}\n');
}

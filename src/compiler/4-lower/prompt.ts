/**
 * The system message of an assistant.
 *
 * In: a region with its names. Out: the message in pieces, each with its origin. Invariants: every
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
import type { FlowGraph } from '../ir/flow-graph.js';
import type { NodeIndex } from '../ir/ids.js';
import { synthesized } from '../ir/provenance.js';
import type { Region } from '../ir/region-map.js';
import type { Segment } from '../ir/squad-ir.js';
import { type Capture, placesOf, type Text, type WorkflowNode } from '../ir/workflow.js';
import type { Speaker } from './conditions.js';
import { writeGlobals, writeSteps } from './next-steps.js';
import { capitalize, join, originOfName, quoted, segment, unique, wording } from './segments.js';
import { sayLine, toolCalls } from './spoken.js';

/** What the prompts of all assistants are made of. */
export interface Cast {
  readonly graph: FlowGraph;
  readonly regions: readonly Region[];
  readonly names: readonly string[];
  /** Names of the tools of request nodes. */
  readonly tools: ReadonlyMap<NodeIndex, string>;
  /** Sentences that lead to an entry from other assistants. */
  readonly leadingTo: (entry: NodeIndex) => readonly Lead[];
  /** For a global node that is no exit, the region that holds it. */
  readonly homeOf: (global: NodeIndex) => Region | null;
}

/** What leads to an entry: a condition of the source, or a sentence of squadc's own. */
export interface Lead {
  readonly sentence: readonly Segment[];
  readonly isCondition: boolean;
}

/** What one prompt is made of. */
export interface Scene extends Speaker {
  readonly cast: Cast;
  /** Numbers of the steps. */
  readonly numbers: ReadonlyMap<NodeIndex, number>;
  /** The node whose first message the assistant speaks by itself; null where none is. */
  readonly spoken: NodeIndex | null;
}

export function createScene(cast: Cast, region: Region): Scene {
  const single = region.entries.length === 1;
  return {
    cast,
    graph: cast.graph,
    region,
    name: cast.names[region.index]!,
    numbers: new Map(region.nodes.map((node, at) => [node, at + 1])),
    spoken: single ? region.first : null,
  };
}

export function writePrompt(scene: Scene): Segment[] {
  const { globalPrompt } = scene.graph.workflow;
  const header = globalPrompt === null ? [] : [quoted(globalPrompt), wording('\n\n')];
  return [
    ...header,
    wording(
      `You are the assistant "${scene.name}" of a phone call. ` +
        'Work through the numbered steps; the lines under a step say what comes next.\n',
    ),
    ...writeEntries(scene),
    ...scene.region.nodes.flatMap((node) => writeStep(scene, node)),
    ...writeGlobals(scene),
  ];
}

/** With several ways in, the prompt opens with what leads where. */
function writeEntries({ region, numbers, cast, graph }: Scene): Segment[] {
  if (region.entries.length < 2) return [];
  return region.entries.flatMap((entry) => {
    const step = wording(`, begin at step ${numbers.get(entry)}.\n`);
    const start = entry === graph.start ? [wording('At the start of the call'), step] : [];
    const leads = cast.leadingTo(entry);
    const conditions = leads.filter((lead) => lead.isCondition).map((lead) => lead.sentence);
    const own = leads.filter((lead) => !lead.isCondition).map((lead) => lead.sentence);
    const ways = unique(conditions);
    return [
      ...start,
      ...(ways.length === 0 ? [] : [wording('If '), ...join(ways, '; or '), step]),
      ...unique(own).flatMap((sentence) => [...capitalize(sentence), step]),
    ];
  });
}

function writeStep(scene: Scene, index: NodeIndex): Segment[] {
  const node = scene.graph.workflow.nodes[index]!;
  const line = scene.spoken === index ? [] : sayLine(node);
  const instruction = node.systemPrompt === null ? [] : [quoted(node.systemPrompt), wording('\n')];
  return [
    wording(`\nStep ${scene.numbers.get(index)}\n`),
    ...line,
    ...instruction,
    ...node.captures.flatMap((capture) =>
      capture.alias === undefined
        ? writeCapture(node, capture)
        : writeAlias(capture, capture.alias),
    ),
    ...toolCalls(scene, node),
    ...writeSteps(scene, index),
  ];
}

function writeCapture(node: WorkflowNode, capture: Capture): Segment[] {
  const isSource = capture.origin.kind === 'source';
  const places = placesOf(capture);
  const name = segment(capture.name, isSource ? originOfName(capture) : capture.origin);
  const description =
    capture.description === null ? [] : [wording(': '), quoted(capture.description)];
  const choices =
    capture.enum === null
      ? []
      : [segment(`; one of ${capture.enum.join(', ')}`, synthesized('enum', [places.enum]))];
  const type = segment(
    ` (${capture.type})`,
    synthesized('type', [isSource ? places.type : node.at]),
  );
  return [wording('- find out '), name, type, ...description, ...choices, wording('\n')];
}

/**
 * What an alias is made of, as the source has it: the platform would fill the template in when the
 * assistant begins, before anything is there to fill it with.
 */
function writeAlias(capture: Capture, value: Text): Segment[] {
  const name = segment(capture.name, originOfName(capture));
  // A template that ends such a passage by itself cannot stand inside of one.
  const [open, close] = /\{%-?\s*endraw\b/.test(value.value)
    ? ['', '']
    : ['{% raw %}', '{% endraw %}'];
  return [wording('- derive '), name, wording(` as ${open}`), quoted(value), wording(`${close}\n`)];
}

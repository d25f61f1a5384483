/** What a walk through source and squad stands on: both, and their texts ready to be compared. */
import type { NodeIndex } from '../../compiler/ir/ids.js';
import { findDisguises } from '../reading/disguises.js';
import { type PromptReading, readPrompt } from '../reading/prompt.js';
import type { SourceGraph } from '../source-graph.js';
import {
  type Destination,
  type Member,
  objectOf,
  type SquadReading,
  textOf,
} from '../squad-reading.js';
import { nameOfTool } from '../tool-keys.js';
import { append } from '../variables/lists.js';
import { listGlobalWays, listWays, type Way } from './ways.js';

export interface Ground {
  readonly graph: SourceGraph;
  /** For each node the equal node that stands for it. */
  readonly representative: Int32Array;
  readonly squad: SquadReading;
  /** By member. */
  readonly prompts: readonly PromptReading[];
  /** How many positions the squad has: the steps of all members, and each member as a whole. */
  readonly positionCount: number;
  /** The number of a position; step 0 is the member as a whole. */
  readonly numberOf: (member: number, step: number) => number;
  /** The first member of a name; a saved one without a name is called by its id. */
  readonly byName: ReadonlyMap<string, number>;
  /** By member, the destinations of its handoffs. */
  readonly destinationsOf: (member: number) => readonly Destination[];
  readonly globalWays: readonly Way[];
  readonly waysFrom: (node: NodeIndex) => readonly Way[];
  readonly heads: Heads;
  /** By member, what its tools call, by the tools' names. */
  readonly toolsOf: (member: number) => ReadonlyMap<string, ToolCallee>;
}

/** Whose texts positions have been found to begin with so far, and where these end. */
export interface Heads {
  /** By position; -1 where nobody's. */
  readonly nodes: number[];
  readonly ends: number[];
}

/** What tells the tool of one request from that of another. */
export interface ToolCallee {
  readonly type: string;
  readonly url: string | null;
  readonly method: string | null;
  /** The tools of the assistant that call the same address in the same way, itself among them. */
  readonly alike: readonly string[];
  /** Whether the tool itself says when it is called. */
  readonly described: boolean;
}

export function layGround(
  graph: SourceGraph,
  representative: Int32Array,
  squad: SquadReading,
): Ground {
  const disguises = findDisguises(graph.workflow);
  const prompts = squad.members.map(({ prompt }) => readPrompt(prompt, disguises));
  const { bases, positionCount } = numberPositions(prompts);
  const ways = new Array<readonly Way[] | undefined>(graph.workflow.nodes.length).fill(undefined);
  const tools: (ReadonlyMap<string, ToolCallee> | undefined)[] = [];
  // Only assistants that squadc did not write are asked for them.
  let destinations: ReadonlyMap<number, readonly Destination[]> | null = null;
  return {
    graph,
    representative,
    squad,
    prompts,
    positionCount,
    numberOf: (member, step) => bases[member]! + step,
    byName: squad.members.some(isCalledById) ? indexByName(squad.members) : squad.byName,
    destinationsOf: (member) => {
      destinations ??= groupByMember(squad.destinations);
      return destinations.get(member) ?? [];
    },
    globalWays: listGlobalWays(graph),
    waysFrom: (node) => {
      ways[node] ??= listWays(graph, representative, node);
      return ways[node];
    },
    heads: { nodes: listNumbers(positionCount), ends: listNumbers(positionCount) },
    toolsOf: (member) => {
      tools[member] ??= readTools(squad.members[member]!);
      return tools[member];
    },
  };
}

function listNumbers(count: number): number[] {
  return new Array<number>(count).fill(-1);
}

function isCalledById({ name, assistantId }: Member): boolean {
  return name === null && assistantId !== null;
}

function indexByName(members: readonly Member[]): ReadonlyMap<string, number> {
  const byName = new Map<string, number>();
  for (const { name: own, assistantId, index } of members) {
    const name = own ?? assistantId;
    if (name !== null && !byName.has(name)) byName.set(name, index);
  }
  return byName;
}

function groupByMember(
  destinations: readonly Destination[],
): ReadonlyMap<number, readonly Destination[]> {
  const groups = new Map<number, Destination[]>();
  for (const destination of destinations) append(groups, destination.member, destination);
  return groups;
}

function numberPositions(prompts: readonly PromptReading[]) {
  const bases: number[] = [];
  let positionCount = 0;
  for (const { steps } of prompts) {
    bases.push(positionCount);
    positionCount += steps.length + 1;
  }
  return { bases, positionCount };
}

function readTools({ tools }: Member): Map<string, ToolCallee> {
  const callees = new Map<string, ToolCallee>();
  const byAddress = new Map<string, string[]>();
  for (const { type, value } of tools) {
    const name = nameOfTool(value);
    if (name === '' || type === 'handoff') continue;
    const [url, method] = [textOf(value['url']), textOf(value['method'])];
    const address = `${method} ${url}`;
    const alike = byAddress.get(address) ?? [];
    byAddress.set(address, alike);
    alike.push(name);
    const words =
      textOf(value['description']) ?? textOf(objectOf(value['function'])['description']);
    const described = words !== null && words.trim() !== '';
    callees.set(name, { type, url, method, alike, described });
  }
  return callees;
}

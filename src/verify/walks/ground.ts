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
import { listGlobalWays, listWays, type Way } from './ways.js';

export interface Ground {
  readonly graph: SourceGraph;
  /** For each node the equal node that stands for it. */
  readonly representative: Int32Array;
  readonly squad: SquadReading;
  /** By member. */
  readonly prompts: readonly PromptReading[];
  /** The first member of a name; a saved one without a name is called by its id. */
  readonly byName: ReadonlyMap<string, number>;
  /** By member, the destinations of its handoffs. */
  readonly destinationsOf: (member: number) => readonly Destination[];
  readonly globalWays: readonly Way[];
  readonly waysFrom: (node: NodeIndex) => readonly Way[];
  /** By member, what its tools call, by the tools' names. */
  readonly toolsOf: (member: number) => ReadonlyMap<string, ToolCallee>;
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
  const ways = new Map<NodeIndex, readonly Way[]>();
  const tools: (ReadonlyMap<string, ToolCallee> | undefined)[] = [];
  const byName = new Map<string, number>();
  for (const { name: own, assistantId, index } of squad.members) {
    const name = own ?? assistantId;
    if (name !== null && !byName.has(name)) byName.set(name, index);
  }
  const destinations: Destination[][] = squad.members.map(() => []);
  for (const destination of squad.destinations) destinations[destination.member]!.push(destination);
  return {
    graph,
    representative,
    squad,
    prompts: squad.members.map(({ prompt }) => readPrompt(prompt, disguises)),
    byName,
    destinationsOf: (member) => destinations[member] ?? [],
    globalWays: listGlobalWays(graph),
    waysFrom: (node) => {
      const known = ways.get(node) ?? listWays(graph, representative, node);
      ways.set(node, known);
      return known;
    },
    toolsOf: (member) => {
      tools[member] ??= readTools(squad.members[member]!);
      return tools[member];
    },
  };
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

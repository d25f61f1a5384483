/**
 * A walk → the script of a test call: what the tester does, what the assistant is expected to do, and
 * which edges that covers. Both outputs, scenarios of the platform and Markdown, are written from it.
 */
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { JsonPointer } from '../text/pointer.js';
import { textsOf } from '../compiler/ir/texts.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type { Capture, Condition, WorkflowNode } from '../compiler/ir/workflow.js';
import { groupBy } from '../graph/lists.js';
import { type ToolsOf, type WalkedTool, writeResponse } from './tools.js';
import {
  type Choice,
  choiceFor,
  choiceOfAnyType,
  demandCondition,
  demandWords,
  type Sample,
} from './values.js';
import type { Step } from './walks.js';

export interface Script {
  /** From 1 up. */
  readonly number: number;
  readonly turns: readonly Turn[];
  /** Each edge and each entered global node once, in the order of the walk. */
  readonly covers: readonly Covered[];
  /** One response per tool, for all its calls. */
  readonly mocks: readonly { readonly tool: string; readonly result: string }[];
  /** Variables that the call has to start with. */
  readonly supplied: ReadonlyMap<string, Sample>;
  readonly end: End;
}

/** A step of a walk: what decides there, and what is said. */
export interface Turn {
  readonly node: WorkflowNode;
  readonly arrival: 'start' | 'edge' | 'global';
  /** What has to become true for the call to get here; null if nothing has to. */
  readonly condition: Condition | null;
  /** Conditions of the other edges of the node before. */
  readonly others: readonly Condition[];
  /** Whether the node before calls a tool, whose response can decide. */
  readonly afterTool: boolean;
  readonly says: readonly Said[];
  /** Names of the tools that the assistant calls. */
  readonly tools: readonly string[];
}

/** A value that the tester says when asked for it. */
export interface Said {
  readonly capture: Capture;
  readonly value: Sample;
}

export interface Covered {
  readonly at: JsonPointer;
  /** Null for a global node, which is entered from anywhere. */
  readonly from: string | null;
  readonly to: string;
  readonly condition: string | null;
}

/** How the call ends; `stops`: the workflow says no more; `endless`: it repeats forever. */
export type End = 'transferCall' | 'endCall' | 'hangup' | 'stops' | 'endless';

/** Only so many other edges are considered; a wide branch has thousands. */
const mostOthers = 20;
/** Only so many values that the caller said last are expected to be named by words. */
const mostRecent = 8;

export function writeScripts(
  graph: FlowGraph,
  walks: readonly (readonly Step[])[],
  toolsOf: ToolsOf,
): Script[] {
  const names = graph.workflow.nodes.flatMap(({ captures, request, tools, calls }) => [
    ...[...captures, ...(request?.responses ?? [])].map(({ name }) => name),
    ...[...tools, ...calls].flatMap(({ variables }) => variables),
  ]);
  const known = new Set([...names, ...builtInVariables]);
  return walks.map((walk, at) => writeScript(graph, walk, at + 1, toolsOf, known));
}

function writeScript(
  graph: FlowGraph,
  walk: readonly Step[],
  number: number,
  toolsOf: ToolsOf,
  known: ReadonlySet<string>,
): Script {
  const { workflow, leaving } = graph;
  const supplied = new Map<string, Choice>();
  /** By tool and variable: a mock returns the same for each call. */
  const given = new Map<string, Choice>();
  const said: Choice[] = [];
  /** By variable, what it holds at this step. */
  const current = new Map<string, Choice>();
  const calls: { call: WalkedTool; visit: number }[] = [];
  const turns = walk.map(({ node: index, edge }, visit) => {
    const node = workflow.nodes[index]!;
    const before = walk[visit - 1];
    const arrival = edge ? 'edge' : before ? 'global' : 'start';
    const condition = (edge ?? (before && node.global))?.condition ?? null;
    const siblings = (edge ? leaving[edge.from]! : [])
      .filter((each) => each !== edge)
      .slice(0, condition === null ? Infinity : mostOthers);
    const others = siblings.flatMap((each) => each.condition ?? []);

    const prompt = visit === 0 ? workflow.globalPrompt : null;
    const texts = [prompt, condition, ...others, ...textsOf(node).map(({ value }) => value)];
    for (const { name, nested } of texts.flatMap((text) => text?.uses ?? [])) {
      // The rest of a variable that is read into is unknown.
      if (nested || known.has(name) || supplied.has(name)) continue;
      supplied.set(name, choiceOfAnyType(name));
      current.set(name, supplied.get(name)!);
    }
    if (condition !== null) demandCondition(condition, true, current);
    for (const each of others) demandCondition(each, false, current);
    const recent = said.slice(-mostRecent);
    demandWords(wordsFor(condition, node), true, recent);
    for (const each of siblings) {
      demandWords(wordsFor(each.condition, workflow.nodes[each.to]!), false, recent);
    }

    const called = toolsOf(node, arrival === 'global');
    for (const { tool, paths } of called) {
      for (const name of paths.keys()) {
        const key = `${tool} ${name}`;
        if (!given.has(key)) given.set(key, choiceOfAnyType(name));
        current.set(name, given.get(key)!);
      }
    }
    calls.push(...called.map((call) => ({ call, visit })));
    const says = node.captures.flatMap((capture) => {
      current.delete(capture.name);
      // Nobody says a value that is derived.
      if (capture.alias !== undefined) return [];
      const choice = choiceFor(capture);
      current.set(capture.name, choice);
      said.push(choice);
      return [{ capture, choice }];
    });
    const afterTool = edge !== null && workflow.nodes[edge.from]!.role === 'act';
    const tools = [...new Set(called.map(({ tool }) => tool))];
    return { node, arrival, condition, others, afterTool, says, tools } as const;
  });

  const covered = walk.slice(1).map((step) => coveredBy(graph, step));
  const mocks = [...groupBy(calls, ({ call }) => call.tool)].map(([tool, all]) => {
    const next = all.flatMap(({ visit }) => turns[visit + 1]?.condition ?? []);
    const paths = new Map(all.flatMap(({ call }) => [...call.paths]));
    const values = [...paths].map(
      ([name, path]) => [path, given.get(`${tool} ${name}`)!.chosen] as const,
    );
    return { tool, result: responseOf(values, next) };
  });
  return {
    number,
    turns: turns.map(({ says, ...turn }) => {
      return {
        ...turn,
        says: says.map(({ capture, choice }) => ({ capture, value: choice.chosen })),
      };
    }),
    covers: [...new Map(covered.map((each) => [each.at, each])).values()],
    mocks,
    supplied: new Map([...supplied].map(([name, { chosen }]) => [name, chosen])),
    end: endOf(graph, walk.at(-1)!),
  };
}

/** Texts that may name a choice of the caller. */
function wordsFor(condition: Condition | null, { id, name }: WorkflowNode): string[] {
  return [condition?.value ?? '', id, name ?? ''];
}

/**
 * What a tool responds before the steps with these conditions. Where no value decides, it says in words
 * what has to become true; if the walk takes the edge for a failed tool, the tool fails.
 */
function responseOf(
  values: Parameters<typeof writeResponse>[0],
  next: readonly Condition[],
): string {
  if (next.some(({ rule }) => rule === 'failed-tool')) {
    return writeResponse([[['error'], 'The call failed.']]);
  }
  const outcomes = new Set(next.flatMap(({ logical, value }) => (logical ? [] : value)));
  const told = [...outcomes].map(
    (outcome, at) => [outcomes.size === 1 ? ['outcome'] : ['outcomes', at], outcome] as const,
  );
  return writeResponse([...values, ...told]);
}

/** How an edge, or the step into a global node, is named. */
function coveredBy({ workflow }: FlowGraph, { node, edge }: Step): Covered {
  const { id: to, at, global } = workflow.nodes[node]!;
  if (edge === null) return { at, from: null, to, condition: global?.condition?.value ?? null };
  const from = workflow.nodes[edge.from]!.id;
  return { at: edge.at, from, to, condition: edge.condition?.value ?? null };
}

function endOf({ workflow, leaving }: FlowGraph, { node }: Step): End {
  const { type, role } = workflow.nodes[node]!;
  if (role === 'exit') return type as End;
  return leaving[node]!.length === 0 ? 'stops' : 'endless';
}

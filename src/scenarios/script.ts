/**
 * A workflow → the test calls that cover it: what the tester does in each, what the assistant is
 * expected to do, and which edges that covers. Scenarios of the platform and Markdown are written from
 * them.
 *
 *     workflow ──run──▶ FlowGraph, squad ──planWalks──▶ walks ──writeScript──▶ scripts
 *
 * The workflow is compiled with the options of the squad under test: its answers decide the start, the
 * conditions and the tools, and the squad has the tools' names.
 */
import { factsOf } from '../call/facts.js';
import { conditionOf, nodeOf, type Step } from '../call/machine.js';
import { run } from '../compiler/compile.js';
import type { FlowGraph } from '../compiler/ir/flow-graph.js';
import type { CompileOptions } from '../compiler/ir/options.js';
import { textsOf } from '../compiler/ir/texts.js';
import { builtInVariables } from '../compiler/ir/variables.js';
import type { Condition, WorkflowNode } from '../compiler/ir/workflow.js';
import type { JsonPointer } from '../text/pointer.js';
import {
  createToolsOf,
  listToMock,
  type ResponsePath,
  type ToolsOf,
  writeResponse,
} from './tools.js';
import {
  type Choice,
  choiceFor,
  choiceOfAnyType,
  demandCondition,
  demandWords,
  type Said,
  type Sample,
} from './values.js';
import { planWalks } from './walks.js';

export interface TestPlan {
  /** The name of the workflow. */
  readonly title: string | null;
  readonly scripts: readonly Script[];
  /** Names of the squad's tools that do something outside the call, or transfer it. */
  readonly tools: readonly string[];
}

export interface Script {
  /** From 1 up. */
  readonly number: number;
  readonly turns: readonly Turn[];
  /** The first step along each edge and into each global node. */
  readonly covers: readonly Turn[];
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
  /** The place of the edge or of the global node. */
  readonly at: JsonPointer;
  /** The node before; null for a global node, which is entered from anywhere. */
  readonly from: string | null;
  /** What has to become true for the call to get here; null if nothing has to. */
  readonly condition: Condition | null;
  /** Conditions of the other edges of the node before. */
  readonly others: readonly Condition[];
  /** Whether the node before calls a tool, whose response can decide. */
  readonly afterTool: boolean;
  /** The values that the tester says when asked for them. */
  readonly says: readonly Said[];
  /** Names of the tools that the assistant calls. */
  readonly tools: readonly string[];
}

/** How the call ends; `stops`: the workflow says no more; `endless`: it repeats forever. */
export type End = 'transferCall' | 'endCall' | 'hangup' | 'stops' | 'endless';

/** Only so many other edges are considered; a wide branch has thousands. */
const mostOthers = 20;
/** Only so many values that the caller said last are expected to be named by words. */
const mostRecent = 8;

/** The plan for a workflow that compiles to a squad; null if the calls would be too long. */
export function planScenarios(workflow: unknown, options: CompileOptions): TestPlan | null {
  const compilation = run(workflow, options);
  if ('status' in compilation) throw new Error('scenarios need a workflow that compiles');
  const { graph, map, squad } = compilation;
  const { nodes, name: title } = graph.workflow;
  const walks = planWalks(graph);
  if (walks === null) return null;
  const toolsOf = createToolsOf(graph, map, squad);
  const set = nodes.flatMap((node) => [...factsOf(graph, node).effects.keys()]);
  const known = new Set([...set, ...builtInVariables]);
  const scripts = walks.map((walk, at) => writeScript(graph, walk, at + 1, toolsOf, known));
  return { title, scripts, tools: listToMock(squad) };
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
  /** By tool, what it responds to all its calls, by variable, and at which visits. */
  const mocked = new Map<string, Mock>();
  const said: Said[] = [];
  /** By variable, what it holds at this step. */
  const current = new Map<string, Choice>();
  const turns = walk.map((step, visit): Turn => {
    const { edge } = step;
    const node = nodeOf(graph, step.to);
    const arrival = edge ? 'edge' : visit > 0 ? 'global' : 'start';
    const condition = visit > 0 ? conditionOf(graph, step) : null;
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
      demandWords(wordsFor(each.condition, nodeOf(graph, each.to)), false, recent);
    }

    const called = toolsOf(node, arrival === 'global');
    for (const { tool, paths } of called) {
      const mock: Mock = mocked.get(tool) ?? { values: new Map(), visits: [] };
      mocked.set(tool, mock);
      mock.visits.push(visit);
      for (const [name, path] of paths) {
        const choice = mock.values.get(name)?.choice ?? choiceOfAnyType(name);
        mock.values.set(name, { path, choice });
        current.set(name, choice);
      }
    }
    const says = node.captures.flatMap((capture) => {
      current.delete(capture.name);
      // Nobody says a value that is derived.
      if (capture.alias !== undefined) return [];
      const choice = choiceFor(capture);
      current.set(capture.name, choice);
      said.push(choice);
      return choice;
    });
    const before = edge ? nodeOf(graph, edge.from) : null;
    return {
      node,
      arrival,
      at: (edge ?? node).at,
      from: before?.id ?? null,
      condition,
      others,
      afterTool: before?.role === 'act',
      says,
      tools: [...new Set(called.map(({ tool }) => tool))],
    };
  });
  const { type, role, index } = turns.at(-1)!.node;
  return {
    number,
    turns,
    covers: [...new Map(turns.slice(1).map((turn) => [turn.at, turn])).values()],
    mocks: Array.from(mocked, ([tool, mock]) => ({ tool, result: responseOf(mock, turns) })),
    supplied: new Map([...supplied].map(([name, { value }]) => [name, value])),
    end: role === 'exit' ? (type as End) : leaving[index]!.length === 0 ? 'stops' : 'endless',
  };
}

/** Texts that may name a choice of the caller. */
function wordsFor(condition: Condition | null, { id, name }: WorkflowNode): string[] {
  return [condition?.value ?? '', id, name ?? ''];
}

interface Mock {
  readonly values: Map<string, { readonly path: ResponsePath; readonly choice: Choice }>;
  readonly visits: number[];
}

/**
 * What a tool responds before the steps after its visits. Where no value decides, it says in words
 * what has to become true; if the walk takes the edge for a failed tool, the tool fails.
 */
function responseOf({ values, visits }: Mock, turns: readonly Turn[]): string {
  const next = visits.flatMap((visit) => turns[visit + 1]?.condition ?? []);
  if (next.some(({ rule }) => rule === 'failed-tool')) {
    return writeResponse([[['error'], 'The call failed.']]);
  }
  const outcomes = new Set(next.flatMap(({ logical, value }) => (logical ? [] : value)));
  const told = [...outcomes].map(
    (outcome, at) => [outcomes.size === 1 ? ['outcome'] : ['outcomes', at], outcome] as const,
  );
  const given = Array.from(values.values(), ({ path, choice }) => [path, choice.value] as const);
  return writeResponse([...given, ...told]);
}

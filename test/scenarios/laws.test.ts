/** Laws of test calls, on generated workflows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FlowGraph } from '../../src/compiler/ir/flow-graph.js';
import { toMarkdown } from '../../src/scenarios/markdown.js';
import { codeSpan } from '../../src/scenarios/markdown-text.js';
import type { TestPlan } from '../../src/scenarios/plan-scenarios.js';
import type { Script } from '../../src/scenarios/script.js';
import { toSimulationScenario } from '../../src/scenarios/simulation.js';
import { edgesOf, nodeOf } from '../../src/simulator/walks.js';
import { readGraph } from '../../src/testing/law.js';
import { rearrangeAll } from '../../src/testing/rearrange.js';
import type { SpecWorkflow } from '../../src/testing.js';
import { settle, workflowArbitrary } from '../../src/testing.js';
import { runs, seed } from '../seed.js';
import { planned, withoutRenames } from './planned.js';
import { skeleton } from './skeleton.js';

const many = { seed, numRuns: runs(60) };
const workflows = workflowArbitrary({ size: 9 });
const hostile = workflowArbitrary({ size: 9, hostile: true });

/** Runs the check on every workflow that compiles. */
function holdsFor(
  arbitrary: fc.Arbitrary<SpecWorkflow>,
  check: (plan: TestPlan, workflow: SpecWorkflow) => void,
): void {
  let tried = 0;
  fc.assert(
    fc.property(arbitrary, (workflow) => {
      const plan = planned(workflow);
      if (plan === null) return;
      tried += 1;
      check(plan, workflow);
    }),
    many,
  );
  expect(tried).toBeGreaterThan(many.numRuns / 3);
}

/** The edges that calls can take, and the global nodes, found naively; by their places. */
function placesToCover(graph: FlowGraph): string[] {
  return [...edgesOf(graph), ...graph.globals.map((node) => nodeOf(graph, node))].map(
    (it) => it.at,
  );
}

/** What is wrong with the path of a call. */
function faultsOf({ turns, end }: Script, graph: FlowGraph): string[] {
  const { workflow, start } = graph;
  const edges = edgesOf(graph);
  const at = (turn: number) => turns[turn]!.node.index as number;
  const steps = turns.flatMap(({ arrival, condition: taken, node }, turn) => {
    if (turn === 0) return arrival === 'start' && at(0) === start ? [] : ['begins elsewhere'];
    const before = workflow.nodes[at(turn - 1)]!;
    if (arrival === 'global') return node.global && !exits.has(before.type) ? [] : [`jump ${turn}`];
    const fits = edges.some(
      ({ from, to, condition }) =>
        from === at(turn - 1) &&
        to === at(turn) &&
        (condition?.value ?? null) === (taken?.value ?? null),
    );
    return fits ? [] : [`no edge for step ${turn}`];
  });
  const last = turns.at(-1)!.node;
  const goesOn = edges.some(({ from }) => from === last.index);
  const rightEnd = exits.has(last.type)
    ? end === last.type
    : end === (goesOn ? 'endless' : 'stops');
  return rightEnd ? steps : [...steps, `ends with ${end} at ${last.id}`];
}

const exits = new Set<string>(['transferCall', 'endCall', 'hangup']);

describe('test calls', () => {
  it('cover every edge and global node that a call can reach, along ways that it can go', () => {
    holdsFor(workflows, (plan, workflow) => {
      const graph = readGraph(workflow, settle(workflow, {}, withoutRenames).options);
      const covered = plan.scripts.flatMap(({ covers }) => covers.map((each) => each.at));
      expect([...new Set(covered)].sort()).toEqual(placesToCover(graph).sort());
      for (const script of plan.scripts) expect(faultsOf(script, graph)).toEqual([]);
    });
  });

  it('are the same each time, and in whatever order the workflow is written', () => {
    fc.assert(
      fc.property(workflows, fc.array(fc.nat(99), { maxLength: 20 }), (workflow, numbers) => {
        const plan = planned(workflow);
        if (plan === null) return;
        expect(toMarkdown(planned(workflow)!)).toBe(toMarkdown(plan));
        const { workflow: moved, place } = rearrangeAll(workflow, numbers);
        const there = toMarkdown({ ...planned(moved)!, leftOut: [] });
        const here = toMarkdown({ ...plan, leftOut: [] });
        const movedHere = here.replaceAll(/`(\/(?:nodes|edges)\/\d+)`/g, (_, at: string) =>
          codeSpan(place(at)),
        );
        expect(there).toBe(movedHere);
      }),
      many,
    );
  });

  it('quote every condition of their walk word for word, and keep the limits of names', () => {
    holdsFor(hostile, ({ scripts }) => {
      for (const script of scripts) {
        const scenario = toSimulationScenario(script, scripts.length);
        expect(scenario.name.length).toBeLessThanOrEqual(80);
        expect(scenario.evaluations.length).toBeGreaterThan(0);
        const names = scenario.evaluations.map(({ structuredOutput }) => structuredOutput.name);
        expect(new Set(names).size).toBe(names.length);
        for (const name of names) expect(name).toMatch(/^[\w-]{1,40}$/);
        for (const { condition } of script.turns) {
          if (condition !== null) expect(scenario.instructions).toContain(condition.value);
        }
        for (const { at } of script.covers) expect(scenario.instructions).toContain(`- ${at} `);
        for (const { result } of scenario.toolMocks ?? []) JSON.parse(result);
      }
    });
  });

  it('say one of the choices where a variable has some', () => {
    holdsFor(workflows, ({ scripts }) => {
      for (const { capture, value } of scripts.flatMap(({ turns }) =>
        turns.flatMap((it) => it.says),
      )) {
        if (capture.enum !== null) expect(capture.enum).toContain(value);
        else if (capture.type !== 'string') expect(typeof value).toBe(capture.type);
      }
    });
  });

  it('are Markdown in which no text of the workflow is markup', () => {
    holdsFor(hostile, (plan) => {
      const plain = skeleton(toMarkdown(plan));
      expect(plain).toBe(
        skeleton(toMarkdown(withTexts(plan, (text) => text.replaceAll(/[^\r\n]+/g, 'x')))),
      );
      expect(plain).not.toMatch(/[<>[\]*_\\&|~]/);
    });
  });
});

/** The plan with other texts. */
function withTexts<T>(value: T, change: (text: string) => string): T {
  if (value instanceof Map) {
    return new Map(
      [...value].map(([key, each], at) => [`${key}${at}`, withTexts(each, change)]),
    ) as T;
  }
  if (Array.isArray(value)) return value.map((each) => withTexts(each, change)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      typeof each === 'string' && !fixed.has(key)
        ? [key, change(each)]
        : [key, withTexts(each, change)],
    ),
  ) as T;
}

/** Texts that are squadc's own. */
const fixed = new Set(['at', 'arrival', 'end', 'type', 'role', 'kind']);

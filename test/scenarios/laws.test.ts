/** Laws of test calls, on generated workflows. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { nodeOf } from '../../src/call/machine.js';
import type { FlowGraph } from '../../src/compiler/ir/flow-graph.js';
import { toMarkdown } from '../../src/scenarios/markdown.js';
import type { Script, TestPlan } from '../../src/scenarios/script.js';
import { toSimulationScenario } from '../../src/scenarios/simulation.js';
import { edgesOf } from '../../src/testing/law.js';
import { rearrangeAll } from '../../src/testing/rearrange.js';
import { readGraph, workflowArbitrary } from '../../src/testing.js';
import { codeSpan } from '../../src/text/escape.js';
import { runs, seed } from '../seed.js';
import { planned, skeleton } from './plans.js';

const workflows = fc.oneof(
  workflowArbitrary({ size: 9 }),
  workflowArbitrary({ size: 9, hostile: true }),
);
const numbers = fc.array(fc.nat(99), { maxLength: 20 });

it('test calls cover a workflow, follow it and quote it, whatever its order', () => {
  let tried = 0;
  const many = { seed, numRuns: runs(60) };
  fc.assert(
    fc.property(workflows, numbers, (workflow, drawn) => {
      const plan = planned(workflow);
      if (plan === null) return;
      tried += 1;
      const graph = readGraph(workflow, plan.options);
      const covered = plan.scripts.flatMap(({ covers }) => covers.map(({ at }) => at));
      const isLeft = (to: number) => (node: number) =>
        node !== to && !isExit(nodeOf(graph, node).type);
      const entered = graph.globals.filter((to) => graph.order.some(isLeft(to)));
      const parts = [...edgesOf(graph), ...entered.map((node) => nodeOf(graph, node))];
      expect(new Set(covered)).toEqual(new Set(parts.map(({ at }) => at)));
      for (const script of plan.scripts) {
        expect(faultsOf(script, graph)).toEqual([]);
        checkScenario(script, plan.scripts.length);
      }
      const markdown = toMarkdown(plan);
      const plain = skeleton(markdown);
      const replaced = withTexts(plan, (text) => text.replaceAll(/[^\r\n]+/g, 'x'));
      expect(plain).toBe(skeleton(toMarkdown(replaced)));
      expect(plain).not.toMatch(/[<>[\]*_\\&|~]/);
      const { workflow: moved, place } = rearrangeAll(workflow, drawn);
      const there = markdown.replaceAll(/`(\/(?:nodes|edges)\/\d+)`/g, (_, at: string) =>
        codeSpan(place(at)),
      );
      expect(toMarkdown(planned(moved)!)).toBe(there);
    }),
    many,
  );
  expect(tried).toBeGreaterThan(many.numRuns / 3);
});

const isExit = (type: string) => /^(?:transferCall|endCall|hangup)$/.test(type);

/** What is wrong with the path of a call, or with what is said in it. */
function faultsOf({ turns, end }: Script, graph: FlowGraph): string[] {
  const edges = edgesOf(graph);
  const faults = turns.flatMap(({ arrival, condition, node, says }, turn) => {
    const before = turns[turn - 1]?.node;
    const isByEdge = edges.some(
      (edge) =>
        edge.from === before?.index &&
        edge.to === node.index &&
        edge.condition?.value === condition?.value,
    );
    const isRight = {
      start: turn === 0 && node.index === graph.start,
      global: turn > 0 && node.global !== null && node !== before && !isExit(before!.type),
      edge: isByEdge,
    };
    const wrong = says.filter(({ capture: { type, enum: choices }, value }) =>
      choices === null
        ? type !== 'string' && typeof value !== type
        : !choices.includes(String(value)),
    );
    return [
      ...(isRight[arrival] ? [] : [`no ${arrival} for step ${turn}`]),
      ...wrong.map(({ capture, value }) => `${capture.name} cannot be ${value}`),
    ];
  });
  const last = turns.at(-1)!.node;
  const goesOn = edges.some(({ from }) => from === last.index);
  const right = isExit(last.type) ? last.type : goesOn ? 'endless' : 'stops';
  return end === right ? faults : [...faults, `ends with ${end} at ${last.id}`];
}

/** Limits of the platform, and every condition word for word. */
function checkScenario(script: Script, total: number): void {
  const {
    name,
    instructions,
    evaluations,
    toolMocks = [],
  } = toSimulationScenario(
    script,
    total,
    script.mocks.map(({ tool }) => tool),
  );
  expect(name.length).toBeLessThanOrEqual(80);
  const names = evaluations.map(({ structuredOutput }) => structuredOutput.name);
  expect(new Set(names).size).toBe(names.length);
  for (const each of names) expect(each).toMatch(/^[\w-]{1,40}$/);
  for (const { condition } of script.turns) expect(instructions).toContain(condition?.value ?? '');
  for (const { at } of script.covers) expect(instructions).not.toContain(`- ${at} `);
  for (const { result } of toolMocks) JSON.parse(result);
}

/** The plan with other texts. */
function withTexts(plan: TestPlan, change: (text: string) => string): TestPlan {
  const within = (value: unknown, key = ''): unknown => {
    if (typeof value === 'string') return fixed.has(key) ? value : change(value);
    if (value instanceof Map) return new Map([...value].map(([name, it]) => [name, within(it)]));
    if (Array.isArray(value)) return value.map((each) => within(each));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).map(([name, each]) => [name, within(each, name)]);
    return Object.fromEntries(entries);
  };
  return within(plan) as TestPlan;
}

/** Texts that are squadc's own. */
const fixed = new Set(['at', 'arrival', 'end', 'type', 'role', 'kind']);

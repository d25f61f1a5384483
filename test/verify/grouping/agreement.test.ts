/** The expected grouping is the one of the definition, and the compiler's, whatever is answered. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseWorkflow } from '../../../src/compiler/1-read/parse-workflow.js';
import type { Decision } from '../../../src/compiler/ir/inquiry.js';
import type { Boundary } from '../../../src/compiler/ir/options.js';
import { fromSource, traced } from '../../../src/compiler/ir/provenance.js';
import type { Question } from '../../../src/compiler/ir/result.js';
import type { Workflow } from '../../../src/compiler/ir/workflow.js';
import { naivePartition } from '../../../src/testing/naive-partition.js';
import { type Answered, readSource } from '../../../src/testing/source.js';
import type { SpecEdge, SpecNode, SpecWorkflow } from '../../../src/testing/spec-workflow.js';
import { workflowArbitrary } from '../../../src/testing/workflows.js';
import { groupNodes } from '../../../src/verify/grouping/group-nodes.js';
import { readSource as readGraph } from '../../../src/verify/source-graph.js';
import { runs, seed } from '../../seed.js';
import { deciding } from './deciding.js';
import { compiled, expected, settled, startOf } from './expected.js';

const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
const boundary = fc.constantFrom<Boundary[]>('branch', 'tools');

function read(document: SpecWorkflow): Workflow {
  const { workflow, diagnostics } = parseWorkflow(document);
  if (workflow === null) throw new Error(diagnostics.map(({ message }) => message).join('; '));
  return workflow;
}

/** Voices of nodes: none, one, another. */
const voices = [{}, { voice: { voiceId: 'one' } }, { voice: { voiceId: 'two' } }] as const;

function withVoices(workflow: SpecWorkflow, picks: readonly number[]): SpecWorkflow {
  const nodes = workflow.nodes.map((node, at) => ({
    ...node,
    ...voices[picks[at % picks.length]!],
  }));
  return { ...workflow, nodes };
}

describe('the expected grouping', () => {
  it('is that of the definition, in whatever order it is applied', () => {
    const arbitrary = workflowArbitrary({
      maxNodes: 12,
      captures: false,
      gaps: false,
      logical: false,
      settings: false,
    });
    const property = fc.property(arbitrary, numbers, boundary, (document, choices, split) => {
      const workflow = read(document);
      const source = readGraph(workflow, startOf(workflow));
      const options = settled({ boundary: split });
      const { stagesOf, stageCount, decisions } = groupNodes(source, options, deciding(choices));
      const answered = answeredBy(decisions, workflow.nodes[source.start]!.id);
      const defined = naivePartition(readSource(document, answered), answered, split, choices)!;
      const nodes = workflow.nodes.filter(({ role }) => role !== 'exit').map(({ index }) => index);
      const own = Array.from({ length: stageCount }, (_, at) =>
        nodes.filter((node) => stagesOf(node).includes(at)),
      );
      const others = defined.map((group) => nodes.filter((node) => group.has(node)));
      expect(inAnyOrder(own)).toEqual(inAnyOrder(others));
    });
    fc.assert(property, { seed, numRuns: runs(500) });
  });

  it('is the compiler’s, with the same questions, where settings differ too', () => {
    const picks = fc.array(fc.nat(2), { minLength: 1, maxLength: 12 });
    const arbitrary = fc.tuple(workflowArbitrary({ maxNodes: 14, settings: false }), picks);
    const property = fc.property(arbitrary, numbers, boundary, ([document, own], choices, split) =>
      agree(withVoices(document, own), choices, split),
    );
    fc.assert(property, { seed, numRuns: runs(1500) });
  });

  it('is the compiler’s on graphs that nobody would draw', () => {
    const property = fc.property(tangle, numbers, boundary, agree);
    fc.assert(property, { seed, numRuns: runs(3000) });
  });

  it('is the compiler’s where some nodes are assistants already', () => {
    const picks = fc.array(fc.nat(5), { minLength: 1, maxLength: 10 });
    const arbitrary = fc.oneof(tangle, workflowArbitrary({ maxNodes: 12, settings: false }));
    const property = fc.property(arbitrary, picks, numbers, boundary, (document, own, ...rest) =>
      agreeAbout(withAssistants(read(document), own), ...rest),
    );
    fc.assert(property, { seed, numRuns: runs(1500) });
  });
});

/** Talk nodes that are assistants: one of the source, or one of two saved ones. */
function withAssistants(workflow: Workflow, picks: readonly number[]): Workflow {
  const nodes = workflow.nodes.map((node, at) => {
    const pick = picks[at % picks.length]!;
    if (node.role !== 'talk' || pick > 2) return node;
    const savedAs = pick === 0 ? null : traced(`asst-${pick}`, fromSource(node.at));
    return { ...node, assistant: { savedAs, settings: [] } };
  });
  return { ...workflow, nodes };
}

function agree(document: SpecWorkflow, choices: readonly number[], split: Boundary): void {
  agreeAbout(read(document), choices, split);
}

function agreeAbout(workflow: Workflow, choices: readonly number[], split: Boundary): void {
  const options = settled({ boundary: split });
  const decide = deciding(choices);
  expect(expected(workflow, options, decide)).toEqual(compiled(workflow, options, decide));
}

/** What was answered; where several nodes can be the start, that it is this one. */
function answeredBy(decisions: readonly Decision[], start: string): Answered {
  const about: Question = {
    id: 'start',
    kind: 'ambiguous-start',
    at: [],
    text: '',
    choices: [],
    proposal: null,
  };
  const answers = decisions.map(({ inquiry, choice, value }) => {
    const answer = value === null ? { choice } : { choice, value };
    return [inquiry.question.id, answer] as const;
  });
  return {
    asked: [about, ...decisions.map(({ inquiry }) => inquiry.question)],
    answers: { start: { choice: 'node', value: start }, ...Object.fromEntries(answers) },
  };
}

function inAnyOrder(groups: readonly (readonly number[])[]): string[] {
  return groups.map((group) => group.join(' ')).sort();
}

/** Few texts, conditions and numbers, so that much is equal; edges from anywhere to anywhere. */
const tangle: fc.Arbitrary<SpecWorkflow> = fc
  .record({
    nodes: fc.array(
      fc.record({
        kind: fc.constantFrom('talk', 'talk', 'talk', 'tool', 'tool', 'exit'),
        text: fc.nat(5),
        global: fc.nat(9),
        voice: fc.nat(5),
      }),
      { minLength: 2, maxLength: 10 },
    ),
    edges: fc.array(fc.record({ from: fc.nat(9), to: fc.nat(9), condition: fc.nat(3) }), {
      maxLength: 22,
    }),
  })
  .map(({ nodes, edges }) => ({
    name: 'Tangle',
    nodes: nodes.map(({ kind, text, global, voice }, at): SpecNode => {
      const more = {
        ...(at > 0 && global === 0 ? { isGlobal: true, condition: `at ${at}` } : {}),
        ...voices[voice],
      };
      const id = `n${at}`;
      if (kind === 'exit' && at > 0) {
        return { id, type: 'transferCall', destination: `+1415555010${text % 2}`, ...more };
      }
      return kind === 'tool'
        ? { id, type: 'apiRequest', url: `https://a.example/${text}`, method: 'GET', ...more }
        : { id, type: 'conversation', systemPrompt: `Text ${text}.`, ...more };
    }),
    edges: edges.map(({ from, to, condition }): SpecEdge => {
      const ends = { from: `n${from % nodes.length}`, to: `n${to % nodes.length}` };
      return condition === 0 ? ends : { ...ends, condition: `when ${condition}` };
    }),
  }));

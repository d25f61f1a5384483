/**
 * The compiler with one rule broken at a time. Damage to single parts of squads is in test/mutants.
 *
 * The verifier and the laws are bundled with it, so what they share with the compiler is broken for
 * them, too.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { type CompileOptions, compile } from '../src/index.js';
import { choosing, laws, type SpecWorkflow, settle, workflowArbitrary } from '../src/testing.js';
import { attempt, type Broken, breakCompiler } from './breakages/broken.js';
import { ofStructure, ofValues } from './breakages/rows.js';
import { captures, exported, flow, sketch, transfer } from './compiler/build.js';
import { listFolders, readCase } from './golden/cases.js';
import { drawn } from './laws/graphs.js';
import { runs, seed } from './seed.js';

/** One assistant captures the order, which its request reads. */
function sending(fields: object) {
  const schema = { type: 'object', properties: { order: { type: 'string', description: 'it' } } };
  const url = 'https://api.example.com';
  const request = { type: 'apiRequest', name: 'find', url, method: 'POST' };
  const nodes = {
    ask: { prompt: 'Ask for the order.', variableExtractionPlan: { schema } },
    find: { type: 'tool', tool: 'function' in fields ? fields : { ...request, ...fields } },
    tell: { prompt: 'Tell what was found.' },
  };
  return exported(nodes, 'ask > find | find > tell');
}

const parameters = [{ key: 'number', value: '{{order}}' }];
const asking = { systemPrompt: 'Ask for the order.', ...captures('order') };
const line = { systemPrompt: undefined, firstMessage: 'One moment.' };
const workflows: Readonly<Record<string, object>> = {
  'a request': sending({ url: 'https://api.example.com/{{order}}' }),
  'a request that speaks': sending({
    messages: [{ type: 'request-start', content: 'I look for {{order}}.' }],
  }),
  'a request with a field': sending({ parameters }),
  'a function': sending({ type: 'function', function: { name: 'find' }, parameters }),
  'a response': drawn('t > a | a > b: 1 | a > c: 2', 't responds, b reads'),
  'two captures': drawn('a > b: 1 | a > c: 2 | c > d', 'a sets, c sets reads, d reads'),
  'a way back': drawn('s > c: 1 | s > b: 2 | c > d | d > c', 's sets, d sets, c reads'),
  'a capture': drawn('a > b: 1 | a > c: 2', 'a sets, b reads'),
  'a capture again': drawn('a > b: 1 | a > c: 2 | b > e: 3 | b > d: 4', 'a sets, b sets, d reads'),
  'a message': flow(
    { ask: asking, desk: transfer({ transferPlan: { message: 'I pass on {{order}}.' } }) },
    'ask > desk',
  ),
  // The node after the line has another predecessor, too.
  'a line in passing': sketch('a > s: 1 | a > b: 2 | s > b | a > c: 3 | b > c', { s: line }),
  // An assistant that a call returns to decides by an earlier capture.
  'a return': sketch('a > b: has said it | b > c: {{x}} fits | c > b: does not fit', {
    b: { systemPrompt: 'Ask for x.', ...captures('x') },
    c: { systemPrompt: 'Offer {{x}}.' },
  }),
};

describe('a broken compiler', () => {
  const cases: { workflow: unknown; options: CompileOptions; output: string }[] = [];

  beforeAll(() => {
    const given = fc.constantFrom<CompileOptions>(
      { target: 'squad', names: { n0: 'Front desk' } },
      { target: 'vapi' },
      { target: 'vapi', pass: 'arguments' },
    );
    const numbers = fc.array(fc.nat(20), { maxLength: 6 });
    const drawn = fc.tuple(workflowArbitrary({ captures: 'many' }), numbers, given);
    const all = fc.sample(drawn, { seed, numRuns: runs(60) }).map(([workflow, choices, each]) => {
      return { workflow, options: settle(workflow, each, choosing(choices)).options };
    });
    const goldens = listFolders().flatMap((name) => {
      const golden = readCase(name);
      return golden === null
        ? []
        : [{ workflow: golden.reading.workflow, options: golden.options }];
    });
    for (const { workflow, options } of [...all, ...goldens]) {
      const output = attempt(() => compile(workflow, options));
      // Workflows without an output show nothing.
      if (output.startsWith('{')) cases.push({ workflow, options, output });
    }
  }, 120_000);

  it.each(ofStructure)('rejects its own output or gives the same if $rule', async (patch) => {
    const broken = await breakCompiler(patch);
    let refused = 0;
    for (const { workflow, options, output } of cases) {
      const made = attempt(() => broken.compile(workflow, options));
      if (made === 'VerificationRefuted') refused += 1;
      // A broken grouping may ask something else.
      else if (made !== 'null') expect(made).toBe(output);
      if (refused === 3) break;
    }
    expect(refused).toBeGreaterThan(0);
  });
});

/** The law plays calls and knows no rules, so the two check each other. */
it.each(ofValues)(
  'the verifier and the laws of values and lines notice if $rule',
  async (patch) => {
    const workflow = workflows[patch.shownBy];
    const policies = { 'cyclic-stages': 'keep-split', 'missing-auth': 'none' };
    const options: CompileOptions = patch.shownBy === 'a return' ? { answers: { policies } } : {};
    const settled = settle(workflow, options).options;
    expect(compile(workflow, settled).status).toBe('complete');
    const broken = await breakCompiler(patch);
    expect(() => broken.compile(workflow, settled)).toThrow('not a faithful migration');

    broken.state.isUnchecked = true;
    const holds = (law: typeof laws.valuesHold) =>
      law(structuredClone(workflow) as SpecWorkflow, { compile: options });
    const holdsBoth = ({ valuesHold, linesSpoken }: Pick<Broken, 'valuesHold' | 'linesSpoken'>) => {
      holds(valuesHold);
      holds(linesSpoken);
    };
    expect(() => holdsBoth(laws)).not.toThrow();
    expect(() => holdsBoth(broken)).toThrow();
  },
);

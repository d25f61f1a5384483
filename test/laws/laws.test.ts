/** The laws on generated workflows with generated answers: one row for each kind of workflow. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import {
  choosing,
  dialects,
  hostileValue,
  type LawOptions,
  laws as lawsOfWorkflows,
  neverThrows,
  rewriteAs,
  type SpecWorkflow,
  settle,
  workflowArbitrary,
} from '../../src/testing.js';
import { schemaFaults } from '../json.js';
import { runs, seed } from '../seed.js';
import { oddCases, settleOddly } from './odd.js';

const laws = {
  ...lawsOfWorkflows,
  /** With any answers, a squad is valid by the published schema of its target. */
  schemaValid(workflow: SpecWorkflow, { compile = {}, numbers = [] }: LawOptions = {}): void {
    const { output } = settle(workflow, compile, choosing(numbers)).result;
    if (output === null) return;
    const [fault] = schemaFaults('squad' in output ? 'squad' : 'vapi-squad', output);
    if (fault) throw new Error(`${fault.instancePath} ${fault.message}`);
  },
};
type LawName = keyof typeof laws;

const all = Object.keys(laws) as LawName[];
const ofPlans: readonly LawName[] = ['plansSound', 'plansMinimal', 'squadVerified'];
const ofGrouping: readonly LawName[] = ['groupingCanonical', 'groupingMinimal'];
/** Laws that accept documents in any dialect. */
const ofDocuments: readonly LawName[] = [
  ...(['inputNotMutated', 'deterministic', 'questionsTerminate', 'schemaValid'] as const),
  ...(['staleAnswersReported', 'sourceMapCovers', 'squadVerified', 'linesSpoken'] as const),
];

const usual = workflowArbitrary();
const hostile = workflowArbitrary({ hostile: true });
const dense = workflowArbitrary({ captures: 'many', gaps: false, settings: false });
const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
const documents = fc
  .tuple(workflowArbitrary({ messages: true }), hostile, fc.nat(9), numbers)
  .map(([plain, misleading, pick, choices]) =>
    rewriteAs(pick < 5 ? plain : misleading, dialects[pick % 5]!, choices),
  ) as unknown as fc.Arbitrary<SpecWorkflow>;

const voices = [{}, { voice: { voiceId: 'v1' } }, { voice: { voiceId: 'v2' } }];
const models = ['', 'm1', 'm2'].map((model) =>
  model ? { model: { provider: 'google', model } } : {},
);
/** Nodes with different voices and models, which raise questions. */
const withSettings = fc
  .tuple(usual, fc.array(fc.nat(8), { minLength: 1, maxLength: 12 }))
  .map(([workflow, picks]): SpecWorkflow => {
    const nodes = workflow.nodes.map((node, at) => {
      const pick = picks[at % picks.length]!;
      return { ...node, ...voices[pick % 3], ...models[Math.floor(pick / 3)] };
    });
    return { ...workflow, nodes };
  });

/** A variable with the name of the argument that selects a handoff's destination. */
const named = workflowArbitrary({ captures: 'many', gaps: false }).map(
  (workflow): SpecWorkflow =>
    JSON.parse(JSON.stringify(workflow).replaceAll('alpha', 'destination')),
);

const target = 'vapi' as const;
const byArguments = { target, pass: 'arguments' } as const;
const criticalVariables = ['alpha', 'beta'];
type Row = readonly [
  kind: string,
  count: number,
  fc.Arbitrary<SpecWorkflow>,
  options: readonly CompileOptions[],
  readonly LawName[],
];

const rows: readonly Row[] = [
  ['small workflows', 36, usual, [{}], all],
  ['misleading texts, names and ids', 16, hostile, [{}, {}, byArguments], all],
  ['other options', 25, usual, [{ target }, { boundary: 'tools' }], all],
  [
    'variables passed as arguments',
    40,
    fc.oneof(dense, named),
    [byArguments],
    [...ofPlans, 'sourceMapCovers'],
  ],
  ['many captures and reads', 60, dense, [{}], ofPlans],
  [
    'many critical variables',
    40,
    dense,
    [{ criticalVariables }, { target, criticalVariables }],
    [...ofPlans, 'dialectsAgree'],
  ],
  ['larger workflows', 12, workflowArbitrary({ size: 25 }), [{}], [...ofGrouping, ...ofPlans]],
  ['conflicting settings', 14, withSettings, [{}], all.filter((it) => !ofGrouping.includes(it))],
  ['documents in other dialects', 20, documents, [{}], ofDocuments],
];

describe('the laws', { timeout: 300_000 }, () => {
  it.each(rows)('hold for %s', (_, count, workflows, options, names) => {
    const drawn = fc.tuple(workflows, numbers, fc.constantFrom(...options));
    const property = fc.property(drawn, ([workflow, choices, compile]) => {
      // One object for all laws, because they share its compilation.
      const given = { numbers: choices, compile };
      for (const name of names) {
        try {
          laws[name](workflow, given);
        } catch (cause) {
          throw new Error(`${name}: ${(cause as Error).message}`, { cause });
        }
      }
    });
    fc.assert(property, { seed, numRuns: runs(count) });
  });
});

describe('neverThrows', () => {
  const option = fc.constantFrom(
    ...['answers', 'target', 'model', 'memberOverrides', 'handoffTools', 'pass', 'context'],
    ...['boundary', 'names', 'toolNames', 'dynamicVariables', 'criticalVariables'],
  );
  const options = fc.oneof(
    fc.constantFrom({}, { target }),
    fc.dictionary(option, hostileValue()) as fc.Arbitrary<CompileOptions>,
  );

  it.each([
    ['a workflow', hostileValue(), fc.constantFrom<CompileOptions>({}, { target })],
    ['options', workflowArbitrary({ size: 5 }), options],
  ])('holds for any value passed as %s', (_, workflows, given) => {
    const property = fc.property<[unknown, CompileOptions]>(workflows, given, neverThrows);
    fc.assert(property, { seed, numRuns: runs(300) });
  });

  it('holds for odd documents with odd answers and options', () => {
    const counts = { complete: 0, invalid: 0, 'needs-answers': 0 };
    const property = fc.property(oddCases, (it) => {
      const { status, output, questions } = settleOddly(it).result;
      counts[status] += 1;
      expect(output === null).toBe(status !== 'complete');
      // What is invalid need not ask first; all else is answered to the end.
      if (status !== 'invalid') expect([status, questions]).toEqual(['complete', []]);
    });
    fc.assert(property, { seed, numRuns: runs(150) });
    expect(counts.complete).toBeGreaterThan(counts.invalid / 5);
  });
});

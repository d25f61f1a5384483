/** The laws on generated workflows with generated answers: one row for each kind of workflow. */
import fc from 'fast-check';
import { beforeAll, describe, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import {
  dialects,
  type LawOptions,
  laws,
  rewriteAs,
  type SpecWorkflow,
  workflowArbitrary,
} from '../../src/testing.js';
import { runs, seed } from '../seed.js';

type LawName = keyof typeof laws;

const all = Object.keys(laws) as LawName[];
const ofPlans: readonly LawName[] = ['plansSound', 'plansMinimal', 'squadVerified'];
const ofGrouping: readonly LawName[] = ['groupingCanonical', 'groupingMinimal'];
/** Laws that take what `compile` takes, whatever it looks like inside. */
const ofDocuments: readonly LawName[] = [
  ...(['inputNotMutated', 'deterministic', 'questionsTerminate'] as const),
  ...(['staleAnswersReported', 'sourceMapCovers', 'squadVerified'] as const),
];

const dense = workflowArbitrary({ captures: 'many', gaps: false, settings: false });
const numbers = fc.array(fc.nat(99), { minLength: 1, maxLength: 8 });
const documents = fc
  .tuple(workflowArbitrary(), workflowArbitrary({ hostile: true }), fc.nat(9), numbers)
  .map(([plain, hostile, pick, choices]) =>
    rewriteAs(pick < 5 ? plain : hostile, dialects[pick % 5]!, choices),
  ) as unknown as fc.Arbitrary<SpecWorkflow>;

/** Nodes that want different voices and models, so that there is something to ask. */
const settled = fc.tuple(workflowArbitrary(), fc.array(fc.nat(8), { minLength: 1, maxLength: 12 }));
const withSettings = settled.map(([workflow, picks]): SpecWorkflow => {
  const voices = [
    {},
    { voice: { provider: 'acme', voiceId: 'v1' } },
    { voice: { provider: 'acme', voiceId: 'v2' } },
  ];
  const models = [
    {},
    { model: { provider: 'openai', model: 'm1' } },
    { model: { provider: 'anthropic', model: 'm2' } },
  ];
  const nodes = workflow.nodes.map((node, at) => {
    const pick = picks[at % picks.length] ?? 0;
    return { ...node, ...voices[pick % 3], ...models[Math.floor(pick / 3)] };
  });
  return { ...workflow, nodes };
});

/** A variable that bears the name of the argument that says where a handoff leads. */
const named = workflowArbitrary({ captures: 'many', gaps: false }).map(
  (workflow) =>
    JSON.parse(JSON.stringify(workflow).replaceAll('alpha', 'destination')) as SpecWorkflow,
);

const target = 'vapi' as const;
const criticalVariables = ['alpha', 'beta'];
type Row = readonly [
  string,
  number,
  fc.Arbitrary<SpecWorkflow>,
  CompileOptions,
  readonly LawName[],
];

const rows: readonly Row[] = [
  ['small workflows', 250, workflowArbitrary(), {}, all],
  ['misleading texts, names and ids', 60, workflowArbitrary({ hostile: true }), {}, all],
  ['the target `vapi`', 50, workflowArbitrary(), { target }, all],
  ['the boundary `tools`', 40, workflowArbitrary(), { boundary: 'tools' }, all],
  ['arguments', 60, dense, { target, pass: 'arguments' }, [...ofPlans, 'sourceMapCovers']],
  ['arguments and a misleading name', 30, named, { target, pass: 'arguments' }, ofPlans],
  [
    'arguments by whatever names',
    20,
    workflowArbitrary({ hostile: true, captures: 'many' }),
    { target, pass: 'arguments' },
    all,
  ],
  ['much that is captured and read', 120, dense, {}, ofPlans],
  ['much that is critical', 50, dense, { criticalVariables }, [...ofPlans, 'dialectsAgree']],
  [
    'what is critical, for `vapi`',
    50,
    dense,
    { target, criticalVariables },
    [...ofPlans, 'dialectsAgree'],
  ],
  ['bigger workflows', 20, workflowArbitrary({ size: 25 }), {}, [...ofGrouping, ...ofPlans]],
  ['settings that differ', 70, withSettings, {}, all.filter((name) => !ofGrouping.includes(name))],
  ['documents in other dialects', 40, documents, {}, ofDocuments],
];

/**
 * The laws are tried one after the other on each workflow, because they share what they compile. A
 * law that has failed is tried no further; its own test makes the workflow small.
 */
describe.each(rows)('on %s', (_, count, workflows, compile, names) => {
  const failures = new Map<LawName, unknown>();
  const parameters = { seed, numRuns: runs(count) };
  const each = (attempt: (workflow: SpecWorkflow, options: LawOptions) => void) =>
    fc.property(workflows, numbers, (workflow, choices) => {
      attempt(workflow, { numbers: choices, compile });
    });

  beforeAll(() => {
    const property = each((workflow, options) => {
      for (const name of names.filter((it) => !failures.has(it))) {
        try {
          laws[name](workflow, options);
        } catch (error) {
          failures.set(name, error);
        }
      }
    });
    fc.assert(property, parameters);
  }, 300_000);

  it.each(names)('%s holds', (name) => {
    if (!failures.has(name)) return;
    fc.assert(
      each((workflow, options) => laws[name](workflow, options)),
      parameters,
    );
    throw failures.get(name);
  });
});

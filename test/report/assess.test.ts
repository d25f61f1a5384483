import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { questionKinds } from '../../src/diagnostics/questions.js';
import { codes, compile, explain } from '../../src/index.js';
import {
  type AssessedFacts,
  assess,
  questionWeights,
  sizes,
  warningWeights,
} from '../../src/report/assess.js';

const nothing: AssessedFacts = {
  status: 'complete',
  stats: { nodes: 3, edges: 2 },
  questions: [],
  diagnostics: [],
  ledger: [],
};

const question = (kind: string, proposal: string | null = null, at = ['/nodes/0']) => ({
  kind,
  proposal,
  at,
});
const warning = (code: string, at = '/nodes/1') => ({ code, severity: 'warning' as const, at });
const error = (code: string, at = '/nodes/1') => ({ code, severity: 'error' as const, at });

describe('the level of a workflow', () => {
  it.each<[level: string, why: string, facts: Partial<AssessedFacts>]>([
    ['A', 'it is complete', {}],
    ['A', 'somebody should look, no more', { diagnostics: [warning('shape/unknown-field')] }],
    ['B', 'a question is open', { status: 'needs-answers', questions: [question('missing-auth')] }],
    ['C', 'it has errors', { status: 'invalid', diagnostics: [error('shape/no-nodes')] }],
    ['C', 'it could not be read', { status: 'failed' }],
    ['C', 'a tool has to be written', { diagnostics: [warning('lower/tool-to-provide')] }],
    ['C', 'nobody checks whose bill it is', { diagnostics: [warning('tools/account-unchecked')] }],
    [
      'C',
      'work is needed beside answers',
      {
        status: 'needs-answers',
        questions: [question('missing-auth')],
        diagnostics: [warning('tools/no-such-value')],
      },
    ],
  ])('is %s when %s', (level, _, facts) => {
    expect(assess({ ...nothing, ...facts }).level).toBe(level);
  });
});

describe('the size', () => {
  it.each([
    [0, 0, 1],
    [8, 7, 1],
    [8, 8, 2],
    [20, 20, 2],
    [20, 21, 3],
    [100, 0, 3],
    [101, 0, 4],
    [150, 150, 4],
    [150, 151, 5],
    [50_000, 90_000, 5],
  ])('of %i nodes and %i edges is %i', (nodes, edges, size) => {
    expect(assess({ ...nothing, stats: { nodes, edges } }).size).toBe(size);
  });
});

describe('the minutes', () => {
  const minutes = (facts: Partial<AssessedFacts>) => assess({ ...nothing, ...facts }).minutes;

  it('are those of the review, for what needs nobody', () => {
    expect(minutes({})).toBe(5);
    expect(minutes({ stats: { nodes: 200, edges: 200 } })).toBe(60);
  });

  it('count a question by its kind, less where the source suggests an answer', () => {
    // 5 for the review, and 20, 10, 2 and 3 for the questions.
    expect(minutes({ questions: [question('missing-endpoint')] })).toBe(25);
    expect(minutes({ questions: [question('missing-endpoint', 'operation')] })).toBe(15);
    const two = [
      question('missing-destination', 'number'),
      question('undefined-variable', 'caller'),
    ];
    expect(minutes({ questions: two })).toBe(10);
  });

  it('count the first error with a code, and less for more of them', () => {
    const facts = { status: 'invalid' as const };
    expect(minutes({ ...facts, diagnostics: [error('shape/no-nodes')] })).toBe(20);
    const same = [error('shape/no-nodes'), error('shape/no-nodes')];
    expect(minutes({ ...facts, diagnostics: same })).toBe(25);
    const others = [error('shape/no-nodes'), error('flow/missing-node')];
    expect(minutes({ ...facts, diagnostics: others })).toBe(35);
    expect(minutes({ status: 'failed' })).toBe(20);
  });

  it('count work for each, and a look once', () => {
    const tools = [warning('lower/tool-to-provide'), warning('lower/tool-to-provide')];
    expect(minutes({ diagnostics: tools })).toBe(125);
    const looks = Array.from({ length: 5 }, () => warning('data/maybe-unset'));
    // 5 for the review, 5 for the first and 1 for each of the others: 14.
    expect(minutes({ diagnostics: looks })).toBe(15);
    const info = { code: 'shape/dialect', severity: 'info' as const, at: '' };
    expect(minutes({ diagnostics: [info] })).toBe(5);
  });

  it('never get fewer with more of anything', () => {
    const anyQuestion = fc.record({
      kind: fc.constantFrom(...questionKinds(), 'a-new-kind'),
      proposal: fc.constantFrom('first', null),
      at: fc.constant(['/nodes/0']),
    });
    const anyDiagnostic = fc.record({
      code: fc.constantFrom(...codes(), 'new/code'),
      severity: fc.constantFrom('error' as const, 'warning' as const, 'info' as const),
      at: fc.constantFrom('', '/nodes/0', '/edges/1'),
    });
    const anyStats = fc.record({ nodes: fc.nat(500), edges: fc.nat(500) });
    const anyMore = fc.record({
      questions: fc.array(anyQuestion),
      diagnostics: fc.array(anyDiagnostic),
      stats: anyStats,
    });
    fc.assert(
      fc.property(anyMore, anyMore, fc.boolean(), (some, more, before) => {
        const joined = <T>(a: readonly T[], b: readonly T[]) =>
          before ? [...b, ...a] : [...a, ...b];
        const less = assess({ ...nothing, ...some });
        const all = assess({
          ...nothing,
          questions: joined(some.questions, more.questions),
          diagnostics: joined(some.diagnostics, more.diagnostics),
          stats: {
            nodes: some.stats.nodes + more.stats.nodes,
            edges: some.stats.edges + more.stats.edges,
          },
        });
        expect(all.minutes).toBeGreaterThanOrEqual(less.minutes);
        expect(all.size).toBeGreaterThanOrEqual(less.size);
        expect(all.level >= less.level).toBe(true);
        expect(all.minutes % 5).toBe(0);
      }),
    );
  });
});

describe('automatic and manual', () => {
  const entry = (kind: string, at: string, status = 'converted') => ({ kind, at, status });
  const ledger = [
    entry('node', '/nodes/0'),
    entry('instruction', '/nodes/0/systemPrompt'),
    entry('variable', '/nodes/0/extractVariables/0'),
    entry('node', '/nodes/1', 'folded'),
    entry('field', '/nodes/1/url', 'needs-answer'),
    entry('node', '/nodes/10'),
    entry('edge', '/edges/0'),
    entry('edge', '/edges/1', 'dropped'),
  ];
  const shares = (facts: Partial<AssessedFacts>) => {
    const { automatic, manual } = assess({ ...nothing, ledger, ...facts });
    return { automatic, manual };
  };

  it('count nodes, edges and variables; who holds an open place waits', () => {
    expect(shares({})).toEqual({ automatic: 5, manual: 1 });
  });

  it('count the places of questions, errors and work', () => {
    expect(
      shares({ questions: [question('cyclic-stages', null, ['/nodes/0', '/edges/0/x'])] }),
    ).toEqual({ automatic: 3, manual: 3 });
    expect(shares({ diagnostics: [warning('data/never-set', '/nodes/10/messages/0')] })).toEqual({
      automatic: 4,
      manual: 2,
    });
    expect(shares({ diagnostics: [warning('flow/unreachable', '/nodes/10')] })).toEqual({
      automatic: 5,
      manual: 1,
    });
    const ofAnswers = { ...error('api/answer-shape', '/nodes/10'), in: 'answers' };
    expect(shares({ diagnostics: [ofAnswers] })).toEqual({ automatic: 5, manual: 1 });
  });

  it('call everything manual where nothing was converted', () => {
    expect(shares({ ledger: [], status: 'invalid' })).toEqual({ automatic: 0, manual: 5 });
  });
});

describe('the tables', () => {
  it('know every kind of question and every warning', () => {
    expect([...questionWeights.keys()].sort()).toEqual([...questionKinds()].sort());
    // Said once about the answers of a run, and never of one of its workflows.
    const ofRuns = ['batch/answers-differ', 'batch/unknown-workflow'];
    const warnings = codes().filter((code) => explain(code)?.severity === 'warning');
    expect([...warningWeights.keys(), ...ofRuns].sort()).toEqual(warnings);
  });

  it('say why, and never ask for less where nothing is suggested', () => {
    for (const { minutes, reason } of warningWeights.values()) {
      expect(minutes).toBeGreaterThan(0);
      expect(reason).not.toBe('');
    }
    for (const { alone, proposed } of questionWeights.values()) {
      expect(alone).toBeGreaterThanOrEqual(proposed);
    }
    expect(sizes.map(({ size }) => size)).toEqual([1, 2, 3, 4, 5]);
  });
});

it('assesses what compile gives', () => {
  const workflow = {
    name: 'Transfer',
    nodes: [
      { id: 'hello', type: 'conversation', systemPrompt: 'Greet the caller.' },
      { id: 'out', type: 'transferCall' },
    ],
    edges: [{ from: 'hello', to: 'out', condition: 'the caller asks for a person' }],
  };
  const open = compile(workflow);
  expect(open.status).toBe('needs-answers');
  expect(assess(open)).toEqual({ level: 'B', size: 1, minutes: 10, automatic: 2, manual: 1 });
  const { id } = open.questions[0]!;
  const answers = { answers: { [id]: { choice: 'number', value: '+15551234567' } } };
  expect(assess(compile(workflow, { answers }))).toEqual({
    level: 'A',
    size: 1,
    minutes: 5,
    automatic: 3,
    manual: 0,
  });
});

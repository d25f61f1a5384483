/** How much work a workflow leaves: the formula as a table. */
import { expect, it } from 'vitest';
import type { QuestionKind, Severity } from '../../src/index.js';
import { type AssessedFacts, assess } from '../../src/report/assess.js';
import type { Assessment } from '../../src/report/model.js';

const nothing: AssessedFacts = {
  status: 'complete',
  stats: { nodes: 3, edges: 2 },
  questions: [],
  diagnostics: [],
  ledger: [],
};
type Facts = Partial<AssessedFacts>;
const open = (kind: QuestionKind, proposal: string | null = null, at = ['/nodes/0']): Facts => ({
  questions: [{ kind, proposal, at }],
});
const found = (severity: Severity, ...all: readonly string[]): Facts => ({
  diagnostics: all.map((code) => ({ code, severity, at: '/nodes/10/messages/0' })),
});
const sized = (nodes: number, edges: number): Facts => ({ stats: { nodes, edges } });
const entries = [
  ['node', '/nodes/0'],
  ['instruction', '/nodes/0/systemPrompt'],
  ['variable', '/nodes/0/extractVariables/0'],
  ['node', '/nodes/1'],
  ['field', '/nodes/1/url'],
  ['node', '/nodes/10'],
  ['edge', '/edges/0'],
] as const;
const ledger = entries.map(([kind, at]) => {
  return { kind, at, status: kind === 'field' ? 'needs-answer' : 'converted' } as const;
});
const tool = 'lower/tool-to-provide';
const elsewhere = { code: 'api/answer-shape', severity: 'error', at: '/nodes/10', in: 'answers' };

it.each<[why: string, facts: Facts, expected: Partial<Assessment>]>([
  ['nobody has to do anything', {}, { level: 'A', size: 1, minutes: 5 }],
  ['a note', found('info', 'shape/dialect'), { level: 'A', minutes: 5 }],
  ['a warning to look at', found('warning', 'shape/unknown-field'), { level: 'A', minutes: 10 }],
  ['a question', { status: 'needs-answers', ...open('missing-auth') }, { level: 'B' }],
  ['errors', { status: 'invalid', ...found('error', 'shape/no-nodes') }, { level: 'C' }],
  ['a failure', { status: 'failed' }, { level: 'C', minutes: 20 }],
  ['a tool to write', found('warning', tool), { level: 'C', minutes: 65 }],
  [
    'work beside answers',
    { ...open('missing-auth'), ...found('warning', 'tools/no-such-value') },
    { level: 'C', minutes: 30 },
  ],
  ['15 nodes and edges', sized(8, 7), { size: 1, minutes: 5 }],
  ['16', sized(8, 8), { size: 2, minutes: 10 }],
  ['41', sized(20, 21), { size: 3, minutes: 15 }],
  ['101', sized(101, 0), { size: 4, minutes: 30 }],
  ['301', sized(150, 151), { size: 5, minutes: 60 }],
  ['a question without a proposal', open('missing-endpoint'), { minutes: 25 }],
  ['one with a proposal', open('missing-endpoint', 'operation'), { minutes: 15 }],
  ['an error', found('error', 'shape/no-nodes'), { minutes: 20 }],
  ['the same again', found('error', 'shape/no-nodes', 'shape/no-nodes'), { minutes: 25 }],
  ['another one', found('error', 'shape/no-nodes', 'flow/missing-node'), { minutes: 35 }],
  ['work each time', found('warning', tool, tool), { minutes: 125 }],
  ['5 + 5 + 4 × 1', found('warning', ...Array(5).fill('data/maybe-unset')), { minutes: 15 }],
  ['what holds an open place', { ledger }, { automatic: 4, manual: 1 }],
  [
    'places of questions',
    { ledger, ...open('cyclic-stages', null, ['/nodes/0', '/edges/0/x']) },
    { automatic: 2, manual: 3 },
  ],
  ['places of work', { ledger, ...found('warning', 'data/never-set') }, { manual: 2 }],
  ['no places of others', { ledger, ...found('warning', 'flow/unreachable') }, { manual: 1 }],
  ['nor of answers', { ledger, diagnostics: [elsewhere as never] }, { manual: 1 }],
  ['nothing was converted', { status: 'invalid' }, { automatic: 0, manual: 5 }],
])('the assessment counts: %s', (_, facts, expected) => {
  expect(assess({ ...nothing, ...facts })).toMatchObject(expected);
});

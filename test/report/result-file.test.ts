import { describe, expect, it } from 'vitest';
import { compile, readWorkflow } from '../../src/index.js';
import { assess } from '../../src/report/assess.js';
import { validateResultFile } from '../../src/schemas/validators.generated.js';

/** A result of a workflow as `squadc migrate` writes it. */
function resultFile(text: string, given: object = {}): Record<string, unknown> {
  const { workflow, dialect, diagnostics } = readWorkflow(text);
  const result = compile(workflow);
  const { output, draft, ...parts } = JSON.parse(JSON.stringify(result));
  const facts = { ...result, diagnostics: [...diagnostics, ...result.diagnostics] };
  return {
    squadc: '1.2.3',
    key: 'clinic-00c0ffee',
    source: 'clinic.json',
    name: null,
    dialect,
    options: { target: 'squad' },
    answers: { 'missing-auth:a': { choice: 'none', subject: '0123456789abcdef' } },
    policies: { 'missing-auth': 'none' },
    ...parts,
    questions: parts.questions.map((each: object) => ({ ...each, subject: '0123456789abcdef' })),
    diagnostics: facts.diagnostics,
    draft,
    assessment: assess(facts),
    workflow,
    ...given,
  };
}

const open = JSON.stringify({
  nodes: [
    { id: 'a', type: 'conversation', systemPrompt: 'Ask.' },
    { id: 'b', type: 'transferCall' },
  ],
  edges: [{ from: 'a', to: 'b', condition: 'a person is wanted' }],
});

describe('the schema of result.json', () => {
  it.each([
    ['questions are open', open],
    ['it is complete', '{"name":"x","nodes":[{"id":"a","type":"conversation"}],"edges":[]}'],
    ['it is no workflow', '{"name":"x"}'],
    ['it is no JSON', '{"name":'],
  ])('takes it where %s', (_, text) => {
    const file = JSON.parse(JSON.stringify(resultFile(text)));
    expect(validateResultFile(file), JSON.stringify(validateResultFile.errors)).toBe(true);
  });

  it('takes one that failed, with its reason', () => {
    const failure = { code: 'batch/refuted', message: 'x' };
    expect(validateResultFile(resultFile(open, { status: 'failed', failure }))).toBe(true);
  });

  it.each<[why: string, change: object]>([
    ['a member that nobody knows', { more: 1 }],
    ['answers among the options', { options: { answers: {} } }],
    ['an answer without its choice', { answers: { a: { value: 1 } } }],
    [
      'a question without its subject',
      { questions: [JSON.parse(JSON.stringify(compile(JSON.parse(open)))).questions[0]] },
    ],
    ['a draft that is a text', { draft: 'x' }],
    [
      'a level that nobody knows',
      { assessment: { level: 'D', size: 1, minutes: 5, automatic: 0, manual: 0 } },
    ],
  ])('refuses %s', (_, change) => {
    expect(validateResultFile(resultFile(open, change))).toBe(false);
  });
});

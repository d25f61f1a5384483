import { describe, expect, it } from 'vitest';
import {
  findUnknownWorkflows,
  type ReadRunAnswers,
  readRunAnswers,
} from '../../src/batch/answers.js';

const subject = '0123456789abcdef';

function read(...texts: readonly (string | object)[]): ReadRunAnswers {
  return readRunAnswers(named(...texts));
}

/** Texts as files a.json, b.json and so on. */
function named(...texts: readonly (string | object)[]) {
  return texts.map((text, index) => ({
    name: `${'abc'[index]}.json`,
    text: typeof text === 'string' ? text : JSON.stringify(text),
  }));
}

/** Findings as `file:line:column code`. */
function found({ diagnostics }: Pick<ReadRunAnswers, 'diagnostics'>): string[] {
  return diagnostics.map(({ diagnostic, place }) =>
    place === null
      ? diagnostic.code
      : `${place.file}:${place.line}:${place.column} ${diagnostic.code}`,
  );
}

function messages({ diagnostics }: ReadRunAnswers): string {
  return diagnostics.map(({ diagnostic: { message, help } }) => `${message} ${help}`).join('\n');
}

describe('readRunAnswers', () => {
  it('reads policies and answers by key and question', () => {
    const answer = { choice: 'number', value: '+4930', subject };
    const answers = read({
      policies: { 'missing-auth': 'none' },
      workflows: { 'clinic-01': { answers: { 'missing-destination:desk': answer } }, empty: {} },
    });
    expect(answers.diagnostics).toEqual([]);
    expect(answers.policies).toEqual({ 'missing-auth': 'none' });
    expect(answers.workflows.get('clinic-01')?.get('missing-destination:desk')).toEqual(answer);
    expect(answers.workflows.get('empty')?.size).toBe(0);
  });

  it('takes names that every object has for plain names', () => {
    const text = `{ "workflows": {
      "__proto__": { "answers": { "constructor": { "choice": "a" }, "__proto__": { "choice": "b" } } },
      "toString": { "answers": {} } } }`;
    const { workflows, diagnostics } = read(text);
    expect(diagnostics).toEqual([]);
    expect([...workflows.keys()]).toEqual(['__proto__', 'toString']);
    expect([...(workflows.get('__proto__') ?? [])]).toEqual([
      ['constructor', { choice: 'a' }],
      ['__proto__', { choice: 'b' }],
    ]);
    expect(found(read('{ "policies": { "__proto__": "a" } }'))).toEqual([
      'a.json:1:30 api/policy-kind',
    ]);
  });

  it('says every fault of every file, each with its place', () => {
    const answers = read(
      '{ "policies": { "missing-auth": "none" },\n  "workflows": { "k": { "answers": { "q": {} } } },\n  "more": 1 }',
      '{ "workflows": {},\n }',
      '{\n  "policies": { "missing-aut": "none", "cyclic-stages": "merge", "cyclic-stages": "x" } }',
    );
    expect(found(answers)).toEqual([
      'a.json:3:11 batch/answers-shape',
      'a.json:2:43 batch/answers-shape',
      'b.json:1:18 shape/not-json',
      expect.stringMatching(/^c\.json:2:\d+ shape\/duplicate-key$/),
    ]);
    expect(messages(answers)).toContain('must have “choice”');
    expect(messages(answers)).toContain('must not have “more”');
  });

  it('takes nothing from a file of another form', () => {
    const { workflows } = read({ workflows: { k: { answers: { q: { choice: 'a' } } } }, more: 1 });
    expect(workflows.size).toBe(0);
  });

  it.each([[null], [[]], ['"text"'], [{ workflows: { k: { answers: [] } } }]])(
    'refuses %j',
    (text) => {
      const answers = readRunAnswers(named(typeof text === 'string' ? text : JSON.stringify(text)));
      expect(answers.diagnostics.map(({ diagnostic }) => diagnostic.severity)).toEqual(['error']);
    },
  );

  it('says what to do with the answers of one workflow', () => {
    const answers = read({ answers: { q: { choice: 'a' } }, policies: { 'missing-auth': 'none' } });
    expect(found(answers)).toEqual(['a.json:1:12 batch/plain-answers']);
    expect(messages(answers)).toContain('under `workflows`');
    expect(answers.policies).toEqual({});
  });

  it('refuses a subject that is no hash', () => {
    const answers = read({ workflows: { k: { answers: { q: { choice: 'a', subject: 'x' } } } } });
    expect(found(answers)).toEqual([expect.stringMatching(/batch\/answers-shape$/)]);
  });

  it('checks policies once, and knows what was meant', () => {
    const answers = readRunAnswers(
      named({
        policies: { 'missing-aut': 'none', 'cyclic-stages': 'merge', 'missing-auth': 'header' },
      }),
      [
        ['logical-conditoin', 'prose'],
        ['logical-condition', 'guard'],
      ],
      'squad',
    );
    expect(found(answers)).toEqual([
      'a.json:1:28 api/policy-kind',
      'a.json:1:51 api/policy-choice',
      'a.json:1:74 api/policy-needs-value',
      'api/policy-kind',
      'api/policy-choice',
    ]);
    expect(messages(answers)).toContain('If you meant “missing-auth”');
    const guarded = readRunAnswers([], [['logical-condition', 'guard']]);
    expect(guarded.diagnostics).toEqual([]);
  });

  it('lets the later file win, and says where they differ', () => {
    const one = (choice: string, policy: string) => ({
      policies: { 'missing-auth': policy, 'cyclic-stages': 'consolidate' },
      workflows: {
        k: { answers: { q: { choice }, same: { choice: 'x', value: { a: 1, b: 2 } } } },
      },
    });
    const second = one('b', 'none');
    second.workflows.k.answers.same.value = { b: 2, a: 1 };
    const answers = readRunAnswers(named(one('a', 'none'), second, { policies: {} }), [
      ['cyclic-stages', 'keep-split'],
    ]);
    expect(answers.workflows.get('k')?.get('q')).toEqual({ choice: 'b' });
    expect(found(answers)).toEqual([
      expect.stringMatching(/^b\.json:1:\d+ batch\/answers-differ$/),
    ]);
    expect(messages(answers)).toContain('“q” of “k”');
    expect(messages(answers)).toContain('“a.json”');
    // What the command line says counts, and is no contradiction.
    expect(answers.policies).toEqual({ 'missing-auth': 'none', 'cyclic-stages': 'keep-split' });
  });

  it('keeps controls and length out of its messages', () => {
    const key = `\u001b[31m${'x'.repeat(10_000)}`;
    const answers = read({ [key]: 1 });
    expect(messages(answers)).not.toContain('\u001b');
    expect(messages(answers).length).toBeLessThan(500);
  });
});

describe('findUnknownWorkflows', () => {
  it('names keys that no workflow has, in each file', () => {
    const texts = named(
      { workflows: { known: {}, gone: {} } },
      '{ "workflows": {\n "gone": {}, "__proto__": {} } }',
      { policies: {} },
    );
    const diagnostics = findUnknownWorkflows(texts, (key) => key === 'known');
    expect(found({ diagnostics })).toEqual([
      'a.json:1:33 batch/unknown-workflow',
      'b.json:2:10 batch/unknown-workflow',
      'b.json:2:27 batch/unknown-workflow',
    ]);
    expect(findUnknownWorkflows(texts, () => true)).toEqual([]);
  });
});

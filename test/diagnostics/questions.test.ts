import { describe, expect, it } from 'vitest';
import type { QuestionKind } from '../../src/compiler/ir/answers.js';
import type { Target } from '../../src/compiler/ir/options.js';
import type { Question } from '../../src/compiler/ir/result.js';
import { questions } from '../../src/diagnostics/questions/entries.js';
import { ask, choicesOf, needsValue, questionKinds } from '../../src/diagnostics/questions.js';

/** The table of kinds and choices, word for word; `*` needs a value. */
const table: readonly (readonly [QuestionKind, squad: string, vapi: string])[] = [
  ['logical-condition', 'extract tool* prose', 'extract tool* guard prose'],
  ['critical-variable', 'tool* best-effort', 'tool* argument best-effort'],
  ['cyclic-stages', 'consolidate keep-split group*', 'consolidate keep-split group*'],
  ['missing-destination', 'number* sip*', 'number* sip*'],
  ['missing-endpoint', 'request* operation*', 'request* operation*'],
  ['missing-parameter', 'variable* caller fixed*', 'variable* caller fixed*'],
  ['missing-auth', 'none header* credential*', 'none header* credential*'],
  ['ambiguous-start', 'node*', 'node*'],
  ['undefined-variable', 'caller rename* captured-at*', 'caller rename* captured-at*'],
  ['conflicting-settings', 'first use* keep-split', 'first use* keep-split'],
];

function askExample<K extends QuestionKind>(kind: K, target: Target): Question {
  return ask(kind, 'subject', { at: ['/nodes/0'], args: questions[kind].example, target });
}

describe('choices', () => {
  it('has the kinds of the table in its order', () => {
    expect(questionKinds()).toEqual(table.map(([kind]) => kind));
  });

  it.each(table)('of %s', (kind, squad, vapi) => {
    for (const [target, row] of [['squad', squad] as const, ['vapi', vapi] as const]) {
      const keys = row.replaceAll('*', '').split(' ');
      expect(choicesOf(kind, target)).toEqual(keys);
      const shown = askExample(kind, target).choices;
      expect(shown.map(({ key, value }) => (value === undefined ? key : `${key}*`))).toEqual(
        row.split(' '),
      );
      expect(keys.map((key) => (needsValue(kind, key) ? `${key}*` : key)).join(' ')).toBe(row);
    }
  });

  it('needs no value for a choice that does not exist', () => {
    expect(needsValue('missing-auth', 'constructor')).toBe(false);
  });
});

describe('sentences', () => {
  const all = questionKinds().map((kind) => ({ ...questions[kind], ...askExample(kind, 'vapi') }));

  it.each(questionKinds())('%s speaks in sentences', (kind) => {
    const { title, why, help } = questions[kind];
    const { text, choices } = askExample(kind, 'vapi');
    expect(title).toMatch(/^[A-Z][^.]{7,70}$/u);
    expect(text).toMatch(/^[A-Z“].+\?$/u);
    for (const sentence of [why, help, ...choices.map(({ effect }) => effect)]) {
      expect(sentence).toMatch(/^[A-Z].+\.$/u);
    }
    for (const { label } of choices) expect(label).toMatch(/^[A-Z][^.]+$/u);
  });

  it('is calm and leaves no gap', () => {
    const words = JSON.stringify(
      all.map(({ text, title, why, help, choices }) => {
        return [text, title, why, help, choices.map(({ label, effect }) => [label, effect])];
      }),
    );
    expect(words).not.toMatch(/!|please|undefined|\[object|\$\{| {2}|\.\./iu);
  });
});

describe('ask', () => {
  it('makes the id of kind and subject', () => {
    const question = ask('missing-auth', 'lookup', {
      at: ['/nodes/2'],
      args: { node: 'lookup' },
      target: 'squad',
    });
    expect(question).toMatchObject({
      id: 'missing-auth:lookup',
      kind: 'missing-auth',
      at: ['/nodes/2'],
    });
    expect(question.text).toContain('“lookup”');
    expect(question.proposal).toBeNull();
    expect('proposalValue' in question).toBe(false);
  });

  it('carries the proposal', () => {
    const question = ask('undefined-variable', 'nmae', {
      at: [],
      args: { variable: 'nmae', nodes: ['a'], near: 'name' },
      target: 'squad',
      proposal: 'rename',
      proposalValue: 'name',
    });
    expect(question).toMatchObject({ proposal: 'rename', proposalValue: 'name' });
    expect(question.text).toContain('There is a variable called “name”.');
  });

  it('offers what is allowed as an enumeration, and only that', () => {
    const group = schemaOf('cyclic-stages', 'group', ['b', 'a', 'b']);
    expect(group).toMatchObject({ items: { items: { enum: ['b', 'a'] } } });
    expect(schemaOf('logical-condition', 'tool', ['lookup'])).toMatchObject({
      properties: { tool: { enum: ['lookup'] } },
      additionalProperties: false,
    });
    expect(schemaOf('ambiguous-start', 'node', ['a'])).toMatchObject({
      type: 'string',
      enum: ['a'],
    });
  });

  it('offers no enumeration of nothing, nor of more than 200', () => {
    const many = Array.from({ length: 201 }, (_, index) => `n${index}`);
    expect(schemaOf('ambiguous-start', 'node', many)).not.toHaveProperty('enum');
    expect(schemaOf('ambiguous-start', 'node', many.slice(1))).toHaveProperty('enum');
    expect(schemaOf('ambiguous-start', 'node', [])).not.toHaveProperty('enum');
  });

  it('leaves the published schema as it was', () => {
    schemaOf('cyclic-stages', 'group', ['only']);
    expect(schemaOf('cyclic-stages', 'group', [])).not.toHaveProperty('items.items.enum');
  });

  it('tells an edge from a global node, and one variable from several', () => {
    const text = (to: string | null, variables: string[]) =>
      ask('logical-condition', 's', {
        at: [],
        args: { condition: 'x == 1', variables, from: 'a', to },
        target: 'squad',
      }).text;
    expect(text('b', ['x'])).toContain('from “a” to “b” when “x == 1” holds');
    expect(text('b', ['x'])).toContain('How shall the value of “x” become known');
    expect(text(null, ['x', 'y'])).toContain('to “a” from anywhere');
    expect(text(null, ['x', 'y'])).toContain('How shall the values of “x” and “y” become known');
    expect(text('b', [])).toContain('How shall its values become known');
  });

  it('says why a variable is critical', () => {
    const text = (declared: boolean, requests: string[]) =>
      ask('critical-variable', 'x', {
        at: [],
        args: { variable: 'x', declared, requests },
        target: 'squad',
      }).text;
    expect(text(true, [])).toContain('to another; it must never be missing.');
    expect(text(false, ['pay'])).toContain('to another, and “pay” changes something with it.');
    expect(text(false, ['pay', 'ship'])).toContain('“pay” and “ship” change something with it.');
    expect(text(true, ['pay'])).toContain('must never be missing, and “pay” changes');
  });

  it('refuses wrong arguments when it is compiled', () => {
    const wrong = [
      // @ts-expect-error an argument is missing
      () => ask('missing-auth', 'x', { at: [], args: {}, target: 'squad' }),
      // @ts-expect-error the arguments of another kind
      () => ask('missing-auth', 'x', { at: [], args: { stages: ['a'] }, target: 'squad' }),
      // @ts-expect-error no such kind
      () => ask('missing-luck', 'x', { at: [], args: {}, target: 'squad' }),
    ];
    expect(wrong).toHaveLength(3);
  });
});

function schemaOf(kind: QuestionKind, choice: string, allowed: readonly string[]) {
  const asked = ask(kind, 's', {
    at: [],
    args: questions[kind].example as never,
    target: 'squad',
    allowed: { [choice]: allowed },
  });
  return asked.choices.find(({ key }) => key === choice)?.value;
}

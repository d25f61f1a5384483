/** Two first messages: that of the start, and that of what stands around the nodes. */
import { describe, expect, it } from 'vitest';
import { type CompileOptions, compile, verify } from '../../src/index.js';
import { type Any, exported, says, told } from '../compiler/build.js';

const line = 'Hello from outside.';
const own = { messagePlan: { firstMessage: 'Hello from the start.' } };
const inside = exported({ ask: { ...says('Ask.'), ...own } }, '');
const wrapped = (workflow: object) => ({
  ...{ name: 'Around', firstMessage: line },
  model: { provider: 'openai', model: 'gpt-4o', workflow },
});
const beside = { ...inside, firstMessage: line };
const places: readonly (readonly [string, object])[] = [
  ['an assistant around the workflow', wrapped(inside)],
  ['the workflow itself', beside],
];
const openingOf = ({ output }: Any) => output.members[0].assistant.firstMessage;
const id = 'two-openings:ask';

describe.each(places)('a first message of %s', (_, workflow) => {
  const made = (options: CompileOptions) => {
    const given = { target: 'vapi', ...options } as const;
    const result = compile(workflow, given);
    const { verdict } = verify(workflow, result.output, given);
    expect([result.status, verdict]).toEqual(['complete', 'holds']);
    return result;
  };

  it('is asked about, with both texts and places', () => {
    const { questions, draft } = compile(workflow, { target: 'vapi' });
    expect(questions.map((it) => it.id)).toEqual([id]);
    const [{ text, at, proposal }] = questions as Any;
    expect(text).toContain('“Hello from outside.”');
    expect(text).toContain('“Hello from the start.”');
    expect([at.length, proposal]).toEqual([2, 'workflow']);
    expect(openingOf({ output: draft })).toBe('Hello from the start.');
  });

  it.each([
    ['workflow', 'Hello from the start.', 1],
    ['assistant', 'Hello from outside.', 1],
    ['both', 'Hello from outside. Hello from the start.', 0],
  ])('is spoken as answered: %s', (choice, spoken, lost) => {
    const answers = [{ answers: { [id]: { choice } } }, { policies: { 'two-openings': choice } }];
    for (const it of answers) {
      const result = made({ answers: it });
      expect(openingOf(result)).toBe(spoken);
      const lines = result.ledger.filter(({ kind }) => kind === 'line');
      const dropped = lines.filter(({ status }) => status === 'dropped');
      expect([lines.length, dropped.length]).toEqual([2, lost]);
    }
  });

  it('is missed in a squad that says the other one', () => {
    const answers = { answers: { [id]: { choice: 'assistant' } } };
    const { output } = made({ answers });
    const other = JSON.parse(JSON.stringify(output).replace(line, 'Hello from the start.'));
    expect(verify(workflow, other, { target: 'vapi', answers }).verdict).toBe('fails');
  });
});

describe('a first message outside the nodes', () => {
  it('is the start’s, if that has none or the same', () => {
    const silent = exported({ ask: says('Ask.') }, '');
    const same = exported({ ask: { ...says('Ask.'), messagePlan: { firstMessage: line } } }, '');
    for (const it of [silent, same].flatMap((each) => [
      wrapped(each),
      { ...each, firstMessage: line },
    ])) {
      const result = compile(it, { target: 'vapi' });
      expect([result.status, openingOf(result)]).toEqual(['complete', line]);
    }
  });

  it('is an error where nothing can say it', () => {
    const transfer = {
      type: 'tool',
      tool: { type: 'apiRequest', url: 'https://example.com', method: 'GET' },
    };
    const workflow = {
      ...exported({ find: transfer, ask: says('Ask.') }, 'find > ask'),
      firstMessage: line,
    };
    expect(told(compile(workflow), 'shape/lost')).toEqual(['shape/lost-text /firstMessage']);
  });
});

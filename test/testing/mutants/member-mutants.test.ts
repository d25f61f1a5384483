/** Members: gone, doubled, renamed, merged, split. */
import { describe, expect, it } from 'vitest';
import { isJsonObject, type Json } from '../../../src/compiler/ir/json.js';
import type { SpecWorkflow } from '../../../src/testing/index.js';
import type { Mutation } from '../../../src/testing/mutants/mutant.js';
import { at, damage, prompts, told } from './example.js';
import { edge, talk } from './nodes.js';

const names = (mutation: Mutation | undefined) =>
  (at('/squad/members', [mutation!])[0] as Json[]).map((member) =>
    isJsonObject(member) && isJsonObject(member['assistant']!)
      ? member['assistant']['name']
      : undefined,
  );

describe('members', () => {
  it('stand in another order', () => {
    expect(names(damage('entry-not-first')[0])).toEqual(['sales', 'hello', 'repair', 'where']);
    expect(names(damage('entry-last')[0])).toEqual(['sales', 'repair', 'where', 'hello']);
  });

  it('are gone, with and without the handoffs to them', () => {
    expect(names(damage('member-dropped')[1])).toEqual(['hello', 'repair', 'where']);
    const [, sales, , where] = damage('member-cut-out');
    const tools = '/squad/members/0/assistant/model/tools';
    expect(at(`${tools}/0/destinations`, [sales!])[0]).toHaveLength(1);
    expect(at(tools, [where!])[0]).toHaveLength(1);
  });

  it('are there twice', () => {
    expect(names(damage('member-doubled')[1]).at(-1)).toBe('sales');
    const [, copy] = damage('member-copied');
    expect(names(copy).at(-1)).toBe('zebra');
    const prompt = at('/squad/members/4/assistant/model/messages/0/content', [copy!])[0];
    expect(prompt).toContain('You are the assistant "zebra" of');
  });

  it('are called otherwise', () => {
    expect(told('member-renamed')).toEqual(['"sales"', '"repair"', '"where"']);
    expect(told('member-nameless')).toHaveLength(4);
    expect(told('names-swapped')).toContain('"sales" and "repair"');
    const [long] = damage('name-too-long').slice(1);
    const name = String(names(long)[1]);
    expect(name.length).toBeGreaterThan(40);
    expect(prompts(0, [long!])[0]).toContain(`hand off to "${name}"`);
    expect(JSON.stringify(long?.squad)).not.toContain('"sales"');
  });
});

describe('merged members', () => {
  it('have the steps of both, and steps in the place of handoffs', () => {
    const merged = damage('members-merged').find(({ text }) => text === '"sales" into "hello"');
    expect(names(merged)).toEqual(['hello', 'repair', 'where']);
    expect(prompts(0, [merged!])[0]).toBe(`
Step 1
Do the work of hello.
- when done, go to step 2

Step 2
Say: "What is it about?"
Do the work of ask.
- find out size (string): size of the frame; one of s, l
- find out budget (number): what it may cost
- when wants to buy, go to step 3
- when wants a repair, hand off to "repair"

Step 3
Offer a bicycle of size {{size}} for {{budget}}.

At any time
- when the caller asks for the way, hand off to "where"
`);
  });
});

const line: SpecWorkflow = {
  nodes: [
    talk('a', { firstMessage: 'Hello.' }),
    talk('b', {
      firstMessage: 'And now?',
      extractVariables: [{ name: 'size', type: 'string', description: 'the size' }],
    }),
    talk('c', { systemPrompt: 'Use {{size}}.' }),
  ],
  edges: ['a>b: goes on', 'b>c'].map(edge),
};

describe('split members', () => {
  it('are two, with a handoff and what it has to carry', () => {
    const [early, late] = damage('chain-split', line);
    expect(names(early)).toEqual(['a', 'zebra']);
    expect(prompts(0, [early!])[0]).toBe(
      '\nStep 1\nDo the work of a.\n- when goes on, hand off to "zebra"\n',
    );
    expect(prompts(1, [early!])[0]).toMatch(/^\nStep 1\nDo the work of b\.\n[^-]*- find out/);
    expect(at('/squad/members/1/assistant/firstMessage', [early!])).toEqual(['And now?']);
    expect(at('/squad/members/0/assistant/model/tools/0/destinations/0', [late!])).toMatchObject([
      {
        assistantName: 'zebra',
        description: 'when done with a',
        variableExtractionPlan: {
          schema: { properties: { size: { type: 'string', description: 'the size' } } },
        },
      },
    ]);
  });

  it('hand off to and fro where a cycle is cut', () => {
    const workflow = {
      nodes: [talk('a', { firstMessage: 'Hello.' }), talk('b')],
      edges: ['a>b: goes on', 'b>a: goes back'].map(edge),
    };
    const options = {
      answers: {
        policies: { 'cyclic-stages': 'consolidate' },
        answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } },
      },
    };
    const [split] = damage('cycle-split', workflow, options);
    expect(prompts(1, [split!])[0]).toContain('- when goes back, hand off to "a"\n');
    expect(damage('chain-split', workflow, options)).toEqual([]);
  });
});

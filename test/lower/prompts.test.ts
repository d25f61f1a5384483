/** What the system messages say, to the letter. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import {
  answer,
  captures,
  compiled,
  end,
  flow,
  promptOf,
  request,
  says,
  transfer,
  variable,
} from '../compiler/build.js';

const asks = { isGlobal: true, condition: 'the caller asks' };

/** What is said, the workflow, the assistant, and what its prompt says. */
const prompts: readonly (readonly [string, object, number, string])[] = [
  [
    'lines, captures and branches, and what is said where a call ends or a step comes again',
    flow(
      {
        a: { firstMessage: 'Hi.', systemPrompt: 'Greet.' },
        b: {
          firstMessage: 'Well.',
          extractVariables: [variable('x', { enum: ['p', 'q'] }), variable('n')],
        },
        c: 'C {{x}}',
        d: 'D',
        bye: { ...end, firstMessage: 'Bye.', systemPrompt: 'Be kind.' },
        t: transfer({ firstMessage: 'Wait.' }),
        u: transfer(),
      },
      [
        'a > b: done greeting | a > bye | b > a: again | b > bye: bored | b > t: angry',
        'b > u: sad | b > c: it is p | b > d',
      ].join(' | '),
    ),
    0,
    `Handing over to another assistant happens silently: do not mention it.
Your first message has been spoken: do not repeat it.
Follow the numbered steps; the lines under a step say what comes next.

Step 1
Greet.
- If: done greeting
  Then: go to step 2.
- Otherwise, when done: say "Bye.", then do this: Be kind.
  After that, end the call.

Step 2
Say: "Well."
- Find out x (string): the x; one of p, q
- Find out n (string): the n
- If: again
  Then: say "Hi.", then go to step 1.
- If: bored
  Then: say "Bye.", then do this: Be kind.
  After that, end the call.
- If: angry
  Then: say "Wait.", then transfer the call to +14155550100.
- If: sad
  Then: transfer the call to +14155550100.
- If: it is p
  Then: hand off to "c".
- Otherwise, when done: hand off to "d".
`,
  ],
  [
    'tools of requests, and global nodes of every kind',
    flow(
      {
        a: 'A',
        r: request({ name: 'Look up' }),
        bye: end,
        g: { ...asks, systemPrompt: 'G' },
        stop: { ...end, isGlobal: true, condition: 'the caller is rude' },
        t: transfer({ isGlobal: true, condition: 'the caller wants a person' }),
      },
      'a > r: ready | r > bye',
    ),
    0,
    `Handing over to another assistant happens silently: do not mention it.
Follow the numbered steps; the lines under a step say what comes next.

Step 1
A
- If: ready
  Then: go to step 2.

Step 2
- Call Look_up.
- When done: end the call.

At any time
- If: the caller asks
  Then: hand off to "g".
- If: the caller is rude
  Then: end the call.
- If: the caller wants a person
  Then: transfer the call to +14155550100.
`,
  ],
  [
    'where to begin, with several ways in',
    flow(
      { s: 'S', a: 'A', b: 'B', c: 'C' },
      's > a: one | s > b: two | s > c: three | a > b: on | b > a: back | c > a',
    ),
    1,
    `This call is already in progress, and you take it over silently: do not greet the caller again and do not mention the handoff.
Follow the numbered steps; the lines under a step say what comes next.
- If: one
  Then: begin at step 1.
- If: the call was handed over when done with c
  Then: begin at step 1.
- If: two
  Then: begin at step 2.

Step 1
A
- If: on
  Then: go to step 2.

Step 2
B
- If: back
  Then: go to step 1.
`,
  ],
  [
    'where to begin, the start of the call among it',
    flow(
      { a: 'A', g: { ...asks, systemPrompt: 'G' }, x: 'X', y: 'Y' },
      'a > g: 1 | g > a: 2 | a > x: 3 | a > y: 4',
    ),
    0,
    `Handing over to another assistant happens silently: do not mention it.
Follow the numbered steps; the lines under a step say what comes next.
- At the start of the call: begin at step 1.
- If: the caller asks
  Then: begin at step 2.

Step 1
A
- If: 1
  Then: go to step 2.
- If: 3
  Then: hand off to "x".
- If: 4
  Then: hand off to "y".

Step 2
G
- If: 2
  Then: go to step 1.

At any time
- If: the caller asks
  Then: go to step 2.
`,
  ],
];

describe('the prompt', () => {
  it.each(prompts)('says %s', (_, workflow, index, said) => {
    const start = { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } };
    const policies = { 'cyclic-stages': 'consolidate', 'global-returns': 'keep-split' };
    const prompt = promptOf(compiled(workflow, { answers: { answers: start, policies } }), index);
    expect(prompt).toBe(said);
  });

  it('begins with what the workflow says to all', () => {
    const workflow = flow({ a: 'A' }, '', { globalPrompt: 'Be kind to {{key}}.' });
    const prompt = promptOf(compiled(workflow, { dynamicVariables: ['key'] }));
    expect(prompt).toBe(`Be kind to {{key}}.\n\nA\n`);
  });

  it.each([
    ['extract', undefined, 'First make sure that you know x and n.\n  '],
    ['tool', { tool: 'check it' }, 'First call check_it.\n  '],
    ['prose', undefined, ''],
  ])('says what an exact condition needs: %s %j', (choice, value, demand) => {
    const nodes = { a: { ...says('A'), ...captures('x', 'n') }, b: 'B', c: 'C' };
    const condition = "x == 'y' && n != 'z'";
    const workflow = flow(nodes, `a > b: ${condition} | a > c`);
    const [question] = compile(workflow).questions;
    const result = compiled(workflow, answer(question!.id, choice, value));
    expect(promptOf(result)).toContain(`\n- ${demand}If: ${condition}\n  Then: hand off to "b".\n`);
  });
});

describe('the opening', () => {
  const nodes = { a: { firstMessage: 'Hello.', systemPrompt: 'A' }, b: 'B', c: 'C' };

  it('is nothing where there is nothing to say', () => {
    expect(promptOf(compiled(flow({ a: 'A' }, ''), { target: 'vapi' }))).toBe('A\n');
  });

  it('names the functions that hand off and that end the call, in target vapi', () => {
    const ways = 'a > b: one | a > c: two | b > bye';
    const workflow = flow({ ...nodes, bye: end }, ways);
    const { output } = compile(workflow, { target: 'vapi', handoffTools: 'grouped' });
    const [first, second] = (output as { members: [] }).members.map((_, at) =>
      promptOf(compiled(workflow, { target: 'vapi', handoffTools: 'grouped' }), at),
    );
    expect(first).toContain('Then: call handoff_to_b_or_c with the destination "b".');
    expect(second).toContain('- When done: end the call by calling endCall.');
  });
});

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

const opening = (name: string) =>
  `You are the assistant "${name}" of a phone call. Work through the numbered steps; ` +
  'the lines under a step say what comes next.\n';
const asks = { isGlobal: true, condition: 'the caller asks' };

/** What is said, the workflow, the assistant, and what stands behind its opening. */
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
    `
Step 1
Greet.
- when done greeting, go to step 2
- otherwise, when done with a:
  Say: "Bye."
  Be kind.
  then end the call

Step 2
Say: "Well."
- find out x (string): the x; one of p, q
- find out n (string): the n
- when again:
  Say: "Hi."
  then go to step 1
- when bored:
  Say: "Bye."
  Be kind.
  then end the call
- when angry:
  Say: "Wait."
  then transfer the call to +14155550100
- when sad, then transfer the call to +14155550100
- when it is p, hand off to "c"
- otherwise, after collecting x and n, hand off to "d"
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
    `
Step 1
A
- when ready, go to step 2

Step 2
- call the tool Look_up
- when done with a, then end the call

At any time
- when the caller asks, hand off to "g"
- when the caller is rude, then end the call
- when the caller wants a person, then transfer the call to +14155550100
`,
  ],
  [
    'where to begin, with several ways in',
    flow(
      { s: 'S', a: 'A', b: 'B', c: 'C' },
      's > a: one | s > b: two | s > c: three | a > b: on | b > a: back | c > a',
    ),
    1,
    `If one, begin at step 1.
When done with c, begin at step 1.
If two, begin at step 2.

Step 1
A
- when on, go to step 2

Step 2
B
- when back, go to step 1
`,
  ],
  [
    'where to begin, the start of the call among it',
    flow(
      { a: 'A', g: { ...asks, systemPrompt: 'G' }, x: 'X', y: 'Y' },
      'a > g: 1 | g > a: 2 | a > x: 3 | a > y: 4',
    ),
    0,
    `At the start of the call, begin at step 1.
If the caller asks, begin at step 2.

Step 1
A
- when 1, go to step 2
- when 3, hand off to "x"
- when 4, hand off to "y"

Step 2
G
- when 2, go to step 1

At any time
- when the caller asks, go to step 2
`,
  ],
];

describe('the prompt', () => {
  it.each(prompts)('says %s', (_, workflow, index, said) => {
    const start = { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } };
    const policies = { 'cyclic-stages': 'consolidate' };
    const prompt = promptOf(compiled(workflow, { answers: { answers: start, policies } }), index);
    expect(prompt).toBe(`${opening(/assistant "(.*?)"/.exec(prompt)![1]!)}${said}`);
  });

  it('begins with what the workflow says to all', () => {
    const workflow = flow({ a: 'A' }, '', { globalPrompt: 'Be kind to {{key}}.' });
    const prompt = promptOf(compiled(workflow, { dynamicVariables: ['key'] }));
    expect(prompt).toBe(`Be kind to {{key}}.\n\n${opening('a')}\nStep 1\nA\n`);
  });

  it.each([
    ['extract', undefined, 'first make sure that you know x and n; '],
    ['tool', { tool: 'check it' }, 'first call the tool check_it; '],
    ['prose', undefined, ''],
  ])('says what an exact condition needs: %s %j', (choice, value, demand) => {
    const nodes = { a: { ...says('A'), ...captures('x', 'n') }, b: 'B', c: 'C' };
    const condition = "x == 'y' && n != 'z'";
    const workflow = flow(nodes, `a > b: ${condition} | a > c`);
    const [question] = compile(workflow).questions;
    const result = compiled(workflow, answer(question!.id, choice, value));
    expect(promptOf(result)).toContain(`\n- ${demand}when ${condition}, hand off to "b"\n`);
  });
});

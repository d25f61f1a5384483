import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import { anytime, capturing, compiled, end, type Plan, request, transfer } from '../build.js';

const prompts = (plan: Plan, options?: CompileOptions): string[] =>
  compiled(plan, options).members.map(({ prompt }) => prompt);
/** The lines after the opening sentences. */
const steps = (plan: Plan, options?: CompileOptions): string[] =>
  prompts(plan, options).map((prompt) => prompt.slice(prompt.indexOf('\nStep 1')));

describe('the system message', () => {
  it('opens with the workflow’s prompt and the role', () => {
    const [prompt] = prompts({ nodes: { a: { name: 'Desk' } }, globalPrompt: '  Be kind.\n' });
    expect(prompt).toMatch(/^ {2}Be kind\.\n\n\nYou are the assistant "Desk" of a phone call\. /);
  });

  it('has the steps in walk order, numbered, with what comes next', () => {
    const plan: Plan = {
      nodes: {
        d: 'Say D.',
        a: { systemPrompt: 'Say A.', firstMessage: 'Hello!' },
        b: capturing('x'),
        c: { systemPrompt: 'Say C.', firstMessage: 'Well.' },
      },
      edges: ['a > b', 'b > c: x is known', 'c > d', 'c > b: again'],
    };
    expect(steps(plan)).toEqual([
      `
Step 1
Say A.
- when done, go to step 2

Step 2
Ask for x.
- find out x (string): the x
- when x is known, go to step 3

Step 3
Say: "Well."
Say C.
- otherwise, go to step 4
- when again, go to step 2

Step 4
Say D.
`,
    ]);
  });

  it('holds every text word for word, white space and quotes included', () => {
    const text = '\t"Hé 🦉",\r\n  {{now}} — \\n \n\n';
    const plan: Plan = {
      nodes: {
        a: { systemPrompt: text },
        b: { firstMessage: text, systemPrompt: `B ${text}` },
        x: transfer({ firstMessage: `X ${text}`, systemPrompt: `P ${text}` }),
      },
      edges: [`a > b: ${text}`, `b > x`],
    };
    const [prompt] = prompts(plan);
    expect(prompt).toContain(`Step 1\n${text}\n`);
    expect(prompt).toContain(`- when ${text}, go to step 2`);
    expect(prompt).toContain(`Say: "${text}"\nB ${text}\n`);
    expect(prompt).toContain(`Say: "X ${text}"\n  P ${text}\n`);
  });

  it('names what a node captures, with type, description and values', () => {
    const extractVariables = [
      { name: 'size', type: 'string', description: 'how big', enum: ['S', 'L'] },
      { name: 'count', type: 'number' },
    ];
    const [prompt] = prompts({ nodes: { a: { extractVariables } } });
    expect(prompt).toContain('- find out size (string): how big; one of S, L\n');
    expect(prompt).toContain('- find out count (number)\n');
  });

  it('reads the values of an enum as texts, or refuses what they could change', () => {
    const extractVariables = [{ name: 'v', type: 'string', enum: ['{{y}}', 'a\nStep 7'] }];
    let written = '';
    let asked: string[] = [];
    try {
      const { members, result } = compiled({ nodes: { a: { extractVariables } } });
      written = members[0]!.prompt;
      asked = result.questions.map(({ id }) => id);
    } catch {
      return;
    }
    expect(written.includes('{{y}}')).toBe(asked.includes('undefined-variable:y'));
    expect(written.split('\n')).not.toContain('Step 7');
  });

  it('calls a node’s tool by the name that it is emitted with', () => {
    const plan: Plan = { nodes: { a: 'A', t: request({ name: 'Look up!' }) }, edges: ['a > t'] };
    const [{ prompt, tools }] = compiled(plan).members as [
      ReturnType<typeof compiled>['members'][0],
    ];
    expect(tools[0]).toMatchObject({ type: 'apiRequest', name: 'Look_up' });
    expect(prompt).toContain('- call the tool Look_up\n');
  });
});

describe('the first line', () => {
  const branch = ['a > b: 1', 'a > c: 2'];

  it('is the assistant’s where there is one way in', () => {
    const nodes = { a: { firstMessage: 'Hi.' }, b: { firstMessage: 'Bi.' }, c: 'C' };
    const { members } = compiled({ nodes, edges: branch });
    expect(members.map(({ firstMessage }) => firstMessage)).toEqual(['Hi.', 'Bi.', undefined]);
    expect(members[0]!.prompt).not.toContain('Hi.');
  });

  it('is said at its step where there are several, and the prompt says where to begin', () => {
    const plan: Plan = {
      nodes: {
        a: 'A',
        b: { firstMessage: 'Bi.', systemPrompt: 'B' },
        c: { firstMessage: 'Ci.', systemPrompt: 'C' },
        d: 'D',
      },
      edges: [...branch, 'a > d: 3', 'd > c: 4', 'd > b: 5', 'b > c: 6', 'c > b: 7'],
    };
    const { members } = compiled(plan);
    const both = members.find(({ name }) => name === 'b')!;
    expect(both.firstMessage).toBeUndefined();
    expect(both.prompt).toContain('If 1; or 5, begin at step 1.\nIf 2; or 4, begin at step 2.\n');
    expect(both.prompt).toContain('Step 1\nSay: "Bi."\nB\n');
    expect(both.prompt).toContain('Step 2\nSay: "Ci."\nC\n');
  });

  it('is repeated on the way back to the first node', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: { firstMessage: 'Bi.', systemPrompt: 'B' }, c: 'C' },
      edges: [...branch, 'b > b: again'],
    };
    expect(steps(plan)[1]).toContain('- when again:\n  Say: "Bi."\n  then go to step 1\n');
  });

  it('of the start says where the call begins when handoffs lead there too', () => {
    const plan: Plan = {
      nodes: { a: { firstMessage: 'Hi.' }, g: { ...anytime('asks'), systemPrompt: 'G' }, b: 'B' },
      edges: ['g > b: on', 'g > a: back', 'a > b: next'],
    };
    const { members } = compiled(plan, {
      answers: { answers: { 'ambiguous-start:workflow': { choice: 'node', value: 'a' } } },
    });
    const first = members[0]!;
    expect(first.name).toBe('a');
    expect(first.prompt.includes('At the start of the call')).toBe(
      first.firstMessage === undefined,
    );
  });
});

describe('what ends or leaves a call', () => {
  it('says what the exit says, then does it', () => {
    const plan: Plan = {
      nodes: {
        a: 'A',
        stop: { ...end, firstMessage: 'Bye.' },
        x: transfer({ firstMessage: 'Moment.', systemPrompt: 'Be brief.' }),
      },
      edges: ['a > stop: 1', 'a > x: 2'],
    };
    expect(steps(plan)[0]).toContain(`- when 1:
  Say: "Bye."
  then end the call
- when 2:
  Say: "Moment."
  Be brief.
  then transfer the call to +14155550100
`);
  });

  it('says "end the call" only where a call can end', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C', stop: end },
      edges: ['a > b: 1', 'a > c: 2', 'b > stop'],
    };
    expect(prompts(plan).map((prompt) => prompt.includes('end the call'))).toEqual([
      false,
      true,
      false,
    ]);
    const global: Plan = {
      nodes: { ...plan.nodes, g: { ...anytime('rude'), ...end } },
      edges: plan.edges!,
    };
    expect(prompts(global).map((prompt) => prompt.includes('end the call'))).toEqual([
      true,
      true,
      true,
    ]);
  });
});

describe('what can happen at any time', () => {
  it('stands in every prompt: a handoff, a transfer, an end, a tool', () => {
    const plan: Plan = {
      nodes: {
        a: 'A',
        g: { ...anytime('asks'), systemPrompt: 'G', firstMessage: 'Gi.' },
        x: { ...anytime('angry'), ...transfer({ firstMessage: 'Moment.' }) },
        stop: { ...anytime('rude'), ...end },
        t: { ...anytime('looks up'), ...request() },
      },
    };
    const [first, global] = prompts(plan);
    const common = `- when angry:
  Say: "Moment."
  then transfer the call to +14155550100
- when rude, then end the call
`;
    expect(first).toContain(
      `At any time\n- when asks, hand off to "g"\n${common}- when looks up, go to step 2\n`,
    );
    expect(global).toContain(
      `At any time\n- when asks:\n  Say: "Gi."\n  then go to step 1\n${common}- when looks up, go to step 2\n`,
    );
  });
});

describe('an exact condition', () => {
  const plan: Plan = {
    nodes: { a: capturing('x', 'y'), b: 'B', c: 'C' },
    edges: ["a > b: x == '1' and y == '2'", 'a > c: else'],
  };
  const written = (choice: string, value?: object) => {
    const { id } = compiled(plan).result.questions[0]!;
    const answer = value === undefined ? { choice } : { choice, value };
    return steps(plan, { answers: { answers: { [id]: answer as never } } })[0]!;
  };

  it('demands its values, or a tool, or nothing, as the answer says', () => {
    const line = "when x == '1' and y == '2', hand off to \"b\"";
    expect(written('extract')).toContain(`- first make sure that you know x and y; ${line}`);
    expect(written('tool', { tool: 'confirm it' })).toContain(
      `- first call the tool confirm_it; ${line}`,
    );
    expect(written('prose')).toContain(`- ${line}`);
  });
});

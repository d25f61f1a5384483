/** Tools in the platform's own words: a squad that has them otherwise is no faithful migration. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/compiler/ir/json.js';
import { compile, verify } from '../../src/index.js';
import { valueAt } from '../../src/testing/squad-tracks.js';

const lookup = {
  type: 'function',
  function: { name: 'lookup', parameters: { type: 'object', properties: {} } },
  server: { url: 'https://desk.example.com/lookup' },
};
const keypad = { type: 'dtmf', messages: [] };
const hours = { type: 'query', name: 'hours' };

/** Three assistants: intake with a tool node, left with tools of its own, right with one by its id. */
const workflow = {
  name: 'Desk',
  nodes: [
    { name: 'intake', type: 'conversation', prompt: 'Greet.' },
    { name: 'press', type: 'tool', tool: keypad },
    { name: 'left', type: 'conversation', prompt: 'Help.', tools: [lookup, hours] },
    { name: 'right', type: 'conversation', prompt: 'Wait.', toolIds: ['t-1'] },
    { name: 'Find it', type: 'tool', toolId: 't-2' },
  ],
  edges: [
    { from: 'intake', to: 'press' },
    { from: 'press', to: 'left', condition: { type: 'ai', prompt: 'wants the left' } },
    { from: 'press', to: 'right', condition: { type: 'ai', prompt: 'wants the right' } },
    { from: 'right', to: 'Find it' },
  ],
};

const targets = ['squad', 'vapi'] as const;

function compiled(target: (typeof targets)[number], source: object = workflow): JsonObject {
  return compile(source, { target }).output as JsonObject;
}

/** The squad with what `change` makes of the model of the member. */
function damaged(
  output: JsonObject,
  member: number,
  change: (model: { tools: JsonObject[]; toolIds: Json[]; messages: JsonObject[] }) => void,
): JsonObject {
  const copy = structuredClone(output);
  const members = valueAt(copy, '/squad/members') ?? valueAt(copy, '/members');
  change((members as never[])[member]!['assistant']['model']);
  return copy;
}

function faultsOf(squad: JsonObject, source: object = workflow): string[] {
  const { holds, diagnostics, checklist } = verify(source, squad);
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(holds).toBe(errors.length === 0);
  const facts = checklist[4]!.evidence.filter((fact) => !fact.holds).map(({ text }) => text);
  return [
    ...facts,
    ...errors.filter(({ code }) => code !== 'check/item-fails').map(({ code }) => code),
  ];
}

describe.each(targets)('given tools in target %s', (target) => {
  const output = compiled(target);
  const indexOf = (name: string) => ({ intake: 0, left: 1, right: 2 })[name]!;
  const damage = (name: string, change: Parameters<typeof damaged>[2]) =>
    faultsOf(damaged(output, indexOf(name), change));
  const isType = (type: string) => (tool: JsonObject) => tool['type'] === type;

  it('hold as they are, whatever the order of keys and tools', () => {
    expect(faultsOf(output)).toEqual([]);
    const turned = (model: { tools: JsonObject[] }) => {
      const keys = (it: JsonObject) => Object.fromEntries(Object.entries(it).reverse());
      model.tools = model.tools.map(keys).reverse();
    };
    expect(damage('left', turned)).toEqual([]);
  });

  it('are not dropped', () => {
    const drop = (type: string) => (model: { tools: JsonObject[] }) => {
      model.tools = model.tools.filter((it) => !isType(type)(it));
    };
    expect(damage('left', drop('function'))).toEqual([
      '“left” does not have the tool of “lookup”.',
    ]);
    expect(damage('left', drop('query'))).toEqual(['“left” does not have the tool of “hours”.']);
    expect(damage('intake', drop('dtmf'))).toEqual(['“intake” does not have the tool of “dtmf”.']);
  });

  it('are not changed', () => {
    const change = (type: string, more: JsonObject) => (model: { tools: JsonObject[] }) => {
      model.tools = model.tools.map((it) => (isType(type)(it) ? { ...it, ...more } : it));
    };
    expect(
      damage('left', change('function', { server: { url: 'https://else.example.com/' } })),
    ).toEqual([
      'The tool of “lookup” in “left” has another “server” than the source or the answers give it.',
    ]);
    expect(damage('left', change('query', { messages: [] }))).toEqual([
      'The tool of “hours” in “left” has “messages”, which neither the source nor the answers give it.',
    ]);
    expect(damage('intake', change('dtmf', { rejectionPlan: { conditions: [] } }))).toEqual([
      'The tool of “dtmf” in “intake” is not refused exactly where its conditions do not hold.',
    ]);
    const renamed = damage('left', change('query', { name: 'times' }));
    expect(renamed).toEqual([
      '“left” does not have the tool of “hours”.',
      '“left” has the tool “times”, which none of its nodes needs.',
    ]);
  });

  it('are not doubled, moved or invented', () => {
    const add = (tool: JsonObject) => (model: { tools?: JsonObject[] }) => {
      model.tools = [...(model.tools ?? []), tool];
    };
    expect(damage('left', add(hours))).toEqual([
      '“left” has the tool “hours”, which none of its nodes needs.',
      '“left” has two tools of the name “hours”.',
    ]);
    expect(damage('right', add(keypad))).toEqual([
      '“right” has the tool “dtmf”, which none of its nodes needs.',
    ]);
    expect(damage('intake', add({ type: 'sms' }))).toEqual([
      '“intake” has the tool “sms”, which none of its nodes needs.',
    ]);
    expect(damage('intake', add({ type: 'smss' })).length).toBeGreaterThan(0);
  });

  it('stand by their ids, each once, and no others', () => {
    const set = (ids: Json[]) => (model: { toolIds: Json[] }) => {
      model.toolIds = ids;
    };
    expect(damage('right', set(['t-2', 't-1']))).toEqual([]);
    expect(damage('right', set(['t-1']))).toEqual(['“right” does not have the tool of “t-2”.']);
    expect(damage('right', set(['t-1', 't-2', 't-3']))).toEqual([
      '“right” has the tool “t-3”, which none of its nodes needs.',
    ]);
    expect(damage('right', set(['t-1', 't-2', 't-2'])).length).toBeGreaterThan(0);
    expect(damage('right', set([7, 't-1', 't-2'])).length).toBe(0);
    expect(verify(workflow, damaged(output, 2, set([7, 't-1', 't-2']))).holds).toBe(false);
    expect(damage('left', set(['t-1']))).toEqual([
      '“left” has the tool “t-1”, which none of its nodes needs.',
    ]);
  });

  it('are called at the step of their node', () => {
    const say = (from: string, to: string) => (model: { messages: JsonObject[] }) => {
      const [{ content, ...rest }] = model.messages as [JsonObject];
      const changed = String(content).replace(from, to);
      expect(changed).not.toBe(content);
      model.messages = [{ ...rest, content: changed }];
    };
    expect(damage('intake', say('- call the tool dtmf\n', ''))).toContain('check/walk');
    expect(damage('intake', say('tool dtmf', 'tool lookup'))).toContain('check/walk');
    expect(damage('right', say('tool Find_it', 'tool Find_that'))).toContain('check/walk');
  });

  it('are not put in the place of the assistants’ own by an override of all', () => {
    const copy = structuredClone(output) as Record<string, never>;
    const [root, key] =
      target === 'squad' ? [copy['squad']!, 'memberOverrides'] : [copy, 'membersOverrides'];
    (root as Record<string, unknown>)[key] = { model: { toolIds: ['t-9'] } };
    expect(verify(workflow, copy).holds).toBe(false);
  });
});

describe('given tools that end the call', () => {
  const ending = { type: 'endCall', messages: [{ type: 'request-start', content: 'Bye.' }] };
  const source = {
    name: 'Desk',
    nodes: [
      { name: 'intake', type: 'conversation', prompt: 'Greet.', tools: [ending] },
      { name: 'end', type: 'hangup' },
    ],
    edges: [{ from: 'intake', to: 'end' }],
  };
  const output = compiled('vapi', source);

  it('are the only ones of their assistant', () => {
    expect(faultsOf(output, source)).toEqual([]);
    const plain = damaged(output, 0, (model) => {
      model.tools = [{ type: 'endCall' }];
    });
    expect(faultsOf(plain, source)).toEqual([
      'The tool of “endCall” in “intake” has no “messages”, which the source or the answers give it.',
    ]);
    const two = damaged(output, 0, (model) => {
      model.tools = [...model.tools, { type: 'endCall' }];
    });
    expect(faultsOf(two, source)).toEqual([
      '“intake” has the tool “endCall”, which none of its nodes needs.',
    ]);
  });
});

describe('given tools behind exact conditions', () => {
  const source = {
    name: 'Desk',
    nodes: [
      { name: 'intake', type: 'conversation', prompt: 'Greet.' },
      { name: 'press', type: 'tool', tool: keypad },
      { name: 'wait', type: 'conversation', prompt: 'Wait.' },
    ],
    edges: [
      { from: 'intake', to: 'press', condition: { type: 'logic', liquid: "{{ tier == 'gold' }}" } },
      { from: 'intake', to: 'wait', condition: { type: 'ai', prompt: 'waits' } },
      { from: 'press', to: 'wait' },
    ],
  };
  const options = {
    target: 'vapi' as const,
    dynamicVariables: ['tier'],
    answers: { policies: { 'logical-condition': 'guard' } },
  };

  it('are refused where the conditions do not hold', () => {
    const { output, status } = compile(source, options);
    expect(status).toBe('complete');
    const text = JSON.stringify(output);
    expect(text).toMatch(/"type":"dtmf","rejectionPlan":\{"conditions"/);
    expect(verify(source, output, options).holds).toBe(true);
    const open = damaged(output as JsonObject, 0, (model) => {
      model.tools = model.tools.map(({ rejectionPlan: _, ...tool }) => tool as JsonObject);
    });
    expect(verify(source, open, options).holds).toBe(false);
  });

  it('are open where the caller can come to them otherwise, or a talk node has them', () => {
    const { nodes, edges } = source;
    const offered = { ...source, nodes: [{ ...nodes[0], tools: [keypad] }, ...nodes.slice(1)] };
    const more = { from: 'intake', to: 'press', condition: { type: 'ai', prompt: 'presses' } };
    for (const open of [offered, { ...source, edges: [...edges, more] }]) {
      const { output, status } = compile(open, options);
      expect(status).toBe('complete');
      const tools = JSON.stringify(valueAt(output as Json, '/members/0/assistant/model/tools'));
      expect(tools).toContain('{"messages":[],"type":"dtmf"}');
    }
  });
});

describe('given tools in squads of other hands', () => {
  const prompts = { intake: 'Greet. Use dtmf.', left: 'Help.', right: 'Wait.' };
  const handed = (change: (name: string, model: JsonObject) => JsonObject = (_, it) => it) => {
    const copy = structuredClone(compiled('squad')) as never;
    for (const { assistant } of copy['squad']['members'] as { assistant: JsonObject }[]) {
      const name = assistant['name'] as keyof typeof prompts;
      const model = { ...(assistant['model'] as JsonObject) };
      model['messages'] = [{ role: 'system', content: prompts[name] }];
      (assistant as Record<string, Json>)['model'] = change(name, model);
    }
    return copy as JsonObject;
  };
  const facts = (squad: JsonObject) =>
    verify(workflow, squad).checklist[4]!.evidence.filter(({ holds }) => !holds);

  it('are looked for in the same way', () => {
    expect(facts(handed())).toEqual([]);
    const without = handed((name, { tools, ...model }) =>
      name === 'left' ? model : { ...model, ...(tools === undefined ? {} : { tools }) },
    );
    expect(facts(without).map(({ text }) => text)).toContain(
      '“left” does not have the tool of “lookup”.',
    );
  });
});

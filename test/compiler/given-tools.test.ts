/** Tools that the source has in the platform's own words are carried as they are. */
import { describe, expect, it } from 'vitest';
import { compile, type JsonObject, verify } from '../../src/index.js';
import { valueAt } from '../../src/simulator/squad.js';

const lookup = {
  type: 'function',
  async: false,
  function: { name: 'lookup', description: 'Finds {{guest}}.', parameters: empty() },
  server: { url: 'https://desk.example.com/lookup' },
};
const keypad = { type: 'dtmf', messages: [] };

function empty(): object {
  return { type: 'object', properties: {} };
}

function talk(name: string, more: object = {}): object {
  return { name, type: 'conversation', prompt: `Do ${name}.`, ...more };
}

const guest = {
  variableExtractionPlan: {
    output: [{ title: 'guest', type: 'string', description: 'name of the guest' }],
  },
};

function workflowOf(nodes: readonly object[], ...edges: readonly [string, string, string?][]) {
  return {
    name: 'Desk',
    nodes,
    edges: edges.map(([from, to, prompt]) => ({
      from,
      to,
      ...(prompt === undefined ? {} : { condition: { type: 'ai', prompt } }),
    })),
  };
}

/** Two branches, so that three assistants come out. */
function branching(left: object, right: object = {}) {
  return workflowOf(
    [talk('intake', guest), talk('left', left), talk('right', right)],
    ['intake', 'left', 'wants the left'],
    ['intake', 'right', 'wants the right'],
  );
}

function compiled(workflow: unknown, options = {}) {
  const result = compile(workflow, options);
  expect(result.diagnostics.filter(({ severity }) => severity === 'error')).toEqual([]);
  expect(result.status).toBe('complete');
  return result;
}

/** By assistant its tools, handoffs aside, and the ids of tools. */
function toolsOf(output: object | null): Record<string, unknown> {
  const document = output as JsonObject;
  const members = (valueAt(document, '/squad/members') ??
    valueAt(document, '/members')) as JsonObject[];
  return Object.fromEntries(
    members.map(({ assistant }) => {
      const { name, model } = assistant as { name: string; model: JsonObject };
      const tools = ((model['tools'] ?? []) as JsonObject[]).filter(
        ({ type }) => type !== 'handoff',
      );
      const { toolIds } = model;
      return [name, toolIds === undefined ? tools : { tools, toolIds }];
    }),
  );
}

function errorsOf(workflow: unknown, options = {}): string[] {
  const { status, diagnostics } = compile(workflow, options);
  expect(status).toBe('invalid');
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, at, related }) => [code, at, ...related].join(' '));
}

const targets = ['squad', 'vapi'] as const;

describe.each(targets)('given tools, in target %s', (target) => {
  it('stand word for word with the assistant of their node, and nowhere else', () => {
    const workflow = branching({ tools: [lookup, keypad] });
    expect(toolsOf(compiled(workflow, { target }).output)).toEqual({
      intake: [],
      left: [lookup, keypad],
      right: [],
    });
  });

  it('stand by id where the platform keeps them, each once', () => {
    const workflow = branching({ toolIds: ['t-2', 't-1', 't-2'] }, { toolIds: ['t-1'] });
    expect(toolsOf(compiled(workflow, { target }).output)).toEqual({
      intake: [],
      left: { tools: [], toolIds: ['t-2', 't-1'] },
      right: { tools: [], toolIds: ['t-1'] },
    });
  });

  it('are called at the step of a tool node', () => {
    const workflow = workflowOf(
      [talk('intake'), { name: 'press', type: 'tool', tool: keypad }, talk('after')],
      ['intake', 'press'],
      ['press', 'after'],
    );
    const { output } = compiled(workflow, { target });
    expect(toolsOf(output)).toEqual({ intake: [keypad] });
    expect(JSON.stringify(output)).toContain('Step 2\\n- call the tool dtmf\\n');
  });

  it('are called by the name of the node where only their id is known', () => {
    const node = { name: 'Find a table', type: 'tool', toolId: 't-1' };
    const workflow = workflowOf([talk('intake'), node], ['intake', 'Find a table']);
    const { output } = compiled(workflow, { target });
    expect(toolsOf(output)).toEqual({ intake: { tools: [], toolIds: ['t-1'] } });
    expect(JSON.stringify(output)).toContain('- call the tool Find_a_table\\n');
  });

  it('stand with every assistant where the tool node is global', () => {
    const node = {
      name: 'press',
      type: 'tool',
      tool: keypad,
      globalNodePlan: { enabled: true, enterCondition: 'a menu answers' },
    };
    const { nodes, edges, ...rest } = branching({});
    const { output } = compiled({ ...rest, nodes: [...nodes, node], edges }, { target });
    expect(toolsOf(output)).toEqual({ intake: [keypad], left: [keypad], right: [keypad] });
    expect(JSON.stringify(output).match(/- when a menu answers, go to step 2/g)).toHaveLength(3);
  });

  it('are one where two nodes of an assistant have the same', () => {
    const { server, ...others } = lookup;
    const again = { server, ...others };
    const nodes = [talk('one', { tools: [lookup, keypad] }), talk('two', { tools: [again] })];
    const { output } = compiled(workflowOf(nodes, ['one', 'two']), {
      target,
      dynamicVariables: ['guest'],
    });
    expect(toolsOf(output)).toEqual({ one: [lookup, keypad] });
  });

  it('make room: other tools take other names', () => {
    const request = {
      name: 'lookup',
      type: 'tool',
      tool: {
        type: 'apiRequest',
        name: 'lookup',
        url: 'https://example.com/',
        method: 'GET',
        headers: {
          type: 'object',
          properties: { Authorization: { type: 'string', value: '{{k}}' } },
        },
      },
    };
    const nodes = [talk('one', { tools: [lookup] }), request];
    const { output } = compiled(workflowOf(nodes, ['one', 'lookup']), {
      target,
      dynamicVariables: ['guest', 'k'],
    });
    expect(JSON.stringify(output)).toContain('- call the tool lookup_2\\n');
    expect(JSON.stringify(output)).toContain('"name":"lookup_2"');
  });

  it('end the call where the source says how', () => {
    const ending = { type: 'endCall', messages: [{ type: 'request-start', content: 'Bye.' }] };
    const nodes = [talk('one', { tools: [ending] }), { name: 'end', type: 'hangup' }];
    const { output } = compiled(workflowOf(nodes, ['one', 'end']), { target });
    expect(toolsOf(output)).toEqual({ one: [ending] });
  });

  it('are carried with requests and transfers, about which nothing is asked', () => {
    const request = {
      type: 'apiRequest',
      name: 'hours',
      url: 'https://example.com/',
      method: 'POST',
    };
    const transfer = {
      type: 'transferCall',
      destinations: [{ type: 'number', number: '+12025550123', message: 'One moment.' }],
    };
    const workflow = branching({ tools: [request, transfer] });
    expect(toolsOf(compiled(workflow, { target }).output)).toMatchObject({
      left: [request, transfer],
    });
  });

  it('cannot have one name and do different things in one assistant', () => {
    const other = { ...lookup, server: { url: 'https://other.example.com/' } };
    const nodes = [talk('one', { tools: [lookup] }), talk('two', { tools: [other] })];
    expect(errorsOf(workflowOf(nodes, ['one', 'two']), { target })).toEqual([
      'lower/tools-of-one-name /nodes/1/tools/0 /nodes/0/tools/0',
    ]);
  });

  it('cannot have the name of a tool that an answer asks for', () => {
    const logic = { type: 'logic', liquid: "{{ table == '1' }}" };
    const { edges, ...rest } = branching({});
    const [first, ...others] = rest.nodes;
    const nodes = [{ ...first, tools: [lookup] }, ...others];
    const workflow = { ...rest, nodes, edges: [{ ...edges[0], condition: logic }, edges[1]] };
    const id = compile(workflow, { target }).questions.find(
      ({ kind }) => kind === 'logical-condition',
    )!.id;
    const answers = { [id]: { choice: 'tool', value: { tool: 'lookup' } } };
    const found = errorsOf(workflow, { target, answers: { answers } });
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(/^lower\/tools-of-one-name \/nodes\/0\/tools\/0 \//);
  });

  it.each([
    [{ type: 'dtfm' }, '/type'],
    [{ type: 'query', name: 'a\n- call the tool b' }, '/name'],
    [{ type: 'function', function: { name: 'a b' } }, '/function/name'],
    [{ type: 'transferCall', destinations: [{ type: 'assistant' }] }, '/destinations/0/type'],
  ])('are refused where the target would refuse them: %o', (tool, place) => {
    const nodes = [talk('one', { tools: [tool] })];
    const found = errorsOf(workflowOf(nodes), { target });
    expect(found).toEqual([`lower/refused-tool /nodes/0/tools/0${place}`]);
  });
});

describe('variables of given tools', () => {
  const setting = {
    ...lookup,
    function: { name: 'lookup', parameters: empty() },
    variableExtractionPlan: { aliases: [{ key: 'table', value: '{{ $.table }}' }] },
  };

  it('are there after a tool node, and cross with no plan', () => {
    const nodes = [
      talk('intake'),
      { name: 'find', type: 'tool', tool: setting },
      talk('left', { prompt: 'Seat at {{table}}.' }),
      talk('right'),
    ];
    const workflow = workflowOf(
      nodes,
      ['intake', 'find'],
      ['find', 'left', 'a'],
      ['find', 'right', 'b'],
    );
    for (const target of targets) {
      const { output, diagnostics } = compiled(workflow, { target });
      expect(JSON.stringify(output)).not.toContain('"schema"');
      expect(diagnostics.map(({ code }) => code)).not.toContain('data/maybe-unset');
    }
  });

  it('of a talk node count as supplied', () => {
    const workflow = branching({ tools: [setting] }, { prompt: 'Seat at {{table}}.' });
    const { diagnostics } = compiled(workflow);
    expect(diagnostics.map(({ code }) => code)).not.toContain('data/never-set');
  });

  it('of a talk node may be overwritten by a plan, which is told', () => {
    const table = {
      variableExtractionPlan: {
        output: [{ title: 'table', type: 'string', description: 'number of the table' }],
      },
    };
    const nodes = [
      talk('intake', { ...table, tools: [setting] }),
      talk('left', { prompt: 'Seat at {{table}}.' }),
      talk('right'),
    ];
    const workflow = workflowOf(nodes, ['intake', 'left', 'a'], ['intake', 'right', 'b']);
    const { diagnostics } = compiled(workflow);
    expect(diagnostics.map(({ code }) => code)).toContain('data/mixed-source');
  });

  it('read by a tool are asked for on entry to its node', () => {
    const { questions } = compile(workflowOf([talk('one', { tools: [lookup] })]));
    expect(questions.map(({ id }) => id)).toEqual(['undefined-variable:guest']);
  });

  it('cross to the tool that reads them', () => {
    const { output } = compiled(branching({ tools: [lookup] }));
    expect(JSON.stringify(output)).toContain('"required":["guest"]');
  });

  it('are read by the name that an answer gives', () => {
    const answers = { 'undefined-variable:guest': { choice: 'rename', value: 'guest_name' } };
    const { output } = compiled(workflowOf([talk('one', { tools: [lookup] })]), {
      answers: { answers },
      dynamicVariables: ['guest_name'],
    });
    const description = 'Finds {{guest_name}}.';
    expect(toolsOf(output)).toMatchObject({ one: [{ function: { description } }] });
  });
});

describe('given tools in the grouping', () => {
  const equal = (left: object, right: object) =>
    workflowOf(
      [
        talk('intake'),
        talk('left', { prompt: 'Help.', ...left }),
        talk('right', { prompt: 'Help.', ...right }),
      ],
      ['intake', 'left', 'a'],
      ['intake', 'right', 'b'],
    );

  it('make nodes equal or different', () => {
    const count = (workflow: object) => compiled(workflow).stats.assistants;
    expect(count(equal({ tools: [keypad] }, {}))).toBe(3);
    expect(
      count(equal({ tools: [keypad], toolIds: ['t'] }, { tools: [keypad], toolIds: ['t'] })),
    ).toBe(1);
    expect(count(equal({ toolIds: ['t', 'u'] }, { toolIds: ['u', 't'] }))).toBe(1);
    expect(count(equal({ toolIds: ['t'] }, { toolIds: ['u'] }))).toBe(3);
  });

  it('are tools of their stage where tools are the boundary', () => {
    const count = (left: object, right: object) =>
      compiled(branching(left, right), { boundary: 'tools' }).stats.assistants;
    const base = { tools: [keypad] };
    expect(count(base, base)).toBe(1);
    const { nodes, ...rest } = branching({ toolIds: ['t'] }, {});
    const first = talk('intake', { toolIds: ['u'] });
    const workflow = { ...rest, nodes: [first, ...nodes.slice(1)] };
    expect(compiled(workflow, { boundary: 'tools' }).stats.assistants).toBe(2);
  });
});

describe('what is told of given tools', () => {
  it('is in the ledger and in the source map', () => {
    const { ledger, sourceMap } = compiled(branching({ tools: [keypad], toolIds: ['t'] }), {
      target: 'vapi',
    });
    const tools = ledger.filter(({ kind }) => kind === 'tool');
    const model = '/members/1/assistant/model';
    expect(tools).toEqual([
      { at: '/nodes/1/tools/0', kind: 'tool', status: 'converted', outputs: [`${model}/tools/0`] },
      {
        at: '/nodes/1/toolIds/0',
        kind: 'tool',
        status: 'converted',
        outputs: [`${model}/toolIds/0`],
      },
    ]);
    const origins = sourceMap.filter(({ output }) => output.startsWith(`${model}/tool`));
    expect(origins.map(({ output, origin }) => [output, 'at' in origin && origin.at])).toEqual([
      [`${model}/tools/0/messages`, '/nodes/1/tools/0/messages'],
      [`${model}/tools/0/type`, '/nodes/1/tools/0/type'],
      [`${model}/toolIds/0`, '/nodes/1/toolIds/0'],
    ]);
  });

  it('is a literal secret in a header', () => {
    const headers = {
      type: 'object',
      properties: { Authorization: { type: 'string', value: 'Bearer s3cr3t' } },
    };
    const request = {
      type: 'apiRequest',
      name: 'hours',
      url: 'https://example.com/',
      method: 'GET',
      headers,
    };
    const server = { url: 'https://example.com/', headers: { 'X-Api-Key': 's3cr3t' } };
    const { diagnostics } = compiled(
      workflowOf([
        talk('one', { tools: [request, { ...lookup, server, function: { name: 'f' } }] }),
      ]),
    );
    const secrets = diagnostics.filter(({ code }) => code === 'data/literal-secret');
    expect(secrets.map(({ at }) => at)).toEqual([
      '/nodes/0/tools/0/headers/properties/Authorization/value',
      '/nodes/0/tools/1/server/headers/X-Api-Key',
    ]);
    expect(JSON.stringify(diagnostics)).not.toContain('s3cr3t');
  });

  it('is checked: the squad is a faithful migration', () => {
    const workflow = branching({ tools: [lookup, keypad], toolIds: ['t'] });
    for (const target of targets) {
      const { output } = compiled(workflow, { target });
      expect(verify(workflow, output, { target }).holds).toBe(true);
    }
  });
});

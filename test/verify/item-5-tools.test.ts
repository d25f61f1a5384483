import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/compiler/ir/json.js';
import { compile } from '../../src/index.js';
import type { SpecWorkflow } from '../../src/testing/spec-workflow.js';
import { checkTools } from './checks.js';
import {
  captured,
  clinic,
  edge,
  faultsOf,
  type Migration,
  member,
  migrate,
  places,
  request,
  talk,
  valueAt,
  withElement,
  without,
  withValue,
} from './migration.js';

const targets = ['squad', 'vapi'] as const;
const input = migrate(clinic);
const lookup = placeOf(input, 'apiRequest');
const desk = placeOf(input, 'transferCall');

/** Where the first tool of this type stands. */
function placeOf({ document }: Migration, type: string): string {
  const found = places(document).find(
    ({ at, value }) => /\/tools\/\d+\/type$/.test(at) && value === type,
  );
  return (found?.at ?? '').replace(/\/type$/, '');
}

/** Where the tools of the member of this name stand. */
function toolsOf(migration: Migration, name: string): string {
  return `${member(migration, name)}/assistant/model/tools`;
}

/** The faults of the squad with another value at this place of its first tool of the type. */
function damage(migration: Migration, type: string, field: string, value: Json): string[] {
  return faultsOf(checkTools(withValue(migration, `${placeOf(migration, type)}/${field}`, value)));
}

describe('item 5', () => {
  it('holds where every assistant has its tools', () => {
    const item = checkTools(input);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence).toEqual([
      {
        holds: true,
        text: '“scheduling” has the tool of “lookup”.',
        source: ['/nodes/4'],
        output: [lookup],
      },
      {
        holds: true,
        text: '“billing” has the tool of “desk”.',
        source: ['/nodes/5'],
        output: [desk],
      },
    ]);
  });

  it('holds without any tool, and says so', () => {
    const item = checkTools(migrate({ name: 'One', nodes: [talk('a')], edges: [] }));
    expect(item.evidence).toHaveLength(1);
    expect(item.holds).toBe(true);
  });

  it('gives equal tools once, and different ones of one kind twice', () => {
    const same = { url: 'https://api.example.com/same' };
    const nodes = [talk('a'), request('one', same), request('two', same), talk('b'), talk('c')];
    const equal = ['a>one: x', 'a>two: y', 'a>c: z', 'one>b', 'two>b'].map(edge);
    expect(faultsOf(checkTools(migrate({ name: 'E', nodes, edges: equal })))).toEqual([]);
    const different = ['a>one: x', 'a>two: y', 'one>b', 'two>c'].map(edge);
    const item = checkTools(migrate({ name: 'D', nodes, edges: different }));
    expect(item.evidence).toHaveLength(2);
    expect(item.holds).toBe(true);
  });

  it('wants global transfers on every assistant', () => {
    const nodes = clinic.nodes.map((node) =>
      node.id === 'desk' ? { ...node, isGlobal: true, condition: 'is angry' } : node,
    );
    const item = checkTools(migrate({ ...clinic, nodes }));
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence.filter(({ text }) => text.endsWith('“desk”.'))).toHaveLength(4);
  });

  it('does not know what a saved assistant has', () => {
    const saved = withValue(input, member(input, 'billing'), { assistantId: 'saved' });
    const item = checkTools(saved);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence.map(({ text }) => text)).toContain(
      'Whether a saved assistant has the tool of “desk” is not to be seen.',
    );
  });
});

describe.each(targets)('item 5 for target %s', (target) => {
  const given = migrate(clinic, { target });

  it('holds', () => {
    expect(faultsOf(checkTools(given))).toEqual([]);
  });

  it.each<[string, Json]>([
    ['url', 'https://example.com'],
    ['method', 'POST'],
    ['headers', { type: 'object', properties: {} }],
    ['body', { type: 'object', properties: { day: { type: 'number' } } }],
    ['timeoutSeconds', 30],
    ['credentialId', 'c1'],
    ['name', 'look_up'],
    ['description', 'Call it now.'],
    ['messages', [{ type: 'request-start', content: 'One moment.' }]],
    ['rejectionPlan', { conditions: [] }],
    ['variableExtractionPlan/aliases/0/key', 'time'],
    ['variableExtractionPlan/aliases/0/value', '{{ $.data.slots }}'],
    ['variableExtractionPlan/aliases/0/value', '{{ $.data.slot | upcase }}'],
    ['variableExtractionPlan/schema', { type: 'object', properties: {}, required: [] }],
  ])('fails where a request has another %s', (field, value) => {
    const faults = damage(given, 'apiRequest', field, value);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^The tool of “lookup” in “scheduling” /);
  });

  it.each<[string, Json]>([
    ['number', '+14155550199'],
    ['message', 'Bye.'],
    ['description', 'is angry'],
    ['description', 'disputes the bill; or is angry'],
    ['extension', '7'],
    ['transferPlan', { mode: 'warm-transfer-say-message' }],
    ['numberE164CheckEnabled', false],
  ])('fails where a transfer has another %s', (field, value) => {
    const faults = damage(given, 'transferCall', `destinations/0/${field}`, value);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^The tool of “desk” in “billing” /);
  });

  it('points to what differs on both sides', () => {
    const at = `${placeOf(given, 'apiRequest')}/url`;
    const [fault] = checkTools(withValue(given, at, 'x')).evidence.filter((it) => !it.holds);
    expect(fault).toEqual({
      holds: false,
      text: 'The tool of “lookup” in “scheduling” has another “url” than the source or the answers give it.',
      source: ['/nodes/4/url'],
      output: [at],
    });
  });

  it('fails where a response sets less, or more', () => {
    const aliases = `${placeOf(given, 'apiRequest')}/variableExtractionPlan/aliases`;
    const more = withElement(given, aliases, { key: 'more', value: '{{ $.more }}' });
    expect(faultsOf(checkTools(more))).toHaveLength(1);
    expect(faultsOf(checkTools(without(given, `${aliases}/0`)))).toEqual([
      'The tool of “lookup” in “scheduling” has no “variableExtractionPlan”, which the source or the answers give it.',
    ]);
  });

  it('fails where a transfer leads somewhere else as well', () => {
    const destinations = `${placeOf(given, 'transferCall')}/destinations`;
    const more = withElement(given, destinations, { type: 'number', number: '+14155550199' });
    expect(faultsOf(checkTools(more))).toEqual([
      'The tool of “desk” in “billing” has “destinations”, which neither the source nor the answers give it.',
    ]);
  });

  it('fails where a tool is missing, moved, copied or doubled', () => {
    const at = placeOf(given, 'apiRequest');
    const tool = valueAt(given.document, at);
    const missing = '“scheduling” does not have the tool of “lookup”.';
    const tooMany = '“billing” has the tool “lookup”, which none of its nodes needs.';
    expect(faultsOf(checkTools(without(given, at)))).toEqual([missing]);
    const copied = withElement(given, toolsOf(given, 'billing'), tool);
    expect(faultsOf(checkTools(copied))).toEqual([tooMany]);
    expect(faultsOf(checkTools(without(copied, at)))).toEqual([missing, tooMany]);
    expect(faultsOf(checkTools(withElement(given, toolsOf(given, 'scheduling'), tool)))).toEqual([
      '“scheduling” has the tool “lookup”, which none of its nodes needs.',
      '“scheduling” has two tools of the name “lookup”.',
    ]);
  });

  it.each(['sms', 'dtmf', 'query', ''])('fails where there is a tool of type %j', (type) => {
    const more = withElement(given, toolsOf(given, 'greeting'), { type });
    expect(faultsOf(checkTools(more))).toEqual([
      `“greeting” has the tool “${type}”, which none of its nodes needs.`,
    ]);
  });

  it('wants the tool that ends the call exactly where a call can end, on the platform', () => {
    const ending = { type: 'endCall' };
    const more = withElement(given, toolsOf(given, 'greeting'), ending);
    expect(checkTools(more).holds).toBe(false);
    expect(checkTools(withElement(given, toolsOf(given, 'billing'), ending)).holds).toBe(false);
    if (target === 'squad') return;
    expect(faultsOf(checkTools(without(given, placeOf(given, 'endCall'))))).toEqual([
      '“scheduling” does not have the tool of “bye”.',
    ]);
    expect(damage(given, 'endCall', 'messages', [{ content: 'Bye.' }])).toHaveLength(1);
  });

  it('sees tools that overrides add or replace', () => {
    const tool = { type: 'apiRequest', name: 'spy', url: 'https://example.com', method: 'GET' };
    for (const overrides of [{ 'tools:append': [tool] }, { model: { tools: [tool] } }]) {
      const at = `${member(given, 'billing')}/assistantOverrides`;
      expect(faultsOf(checkTools(withValue(given, at, overrides)))).toContain(
        '“billing” has the tool “spy”, which none of its nodes needs.',
      );
    }
  });

  it('is free with names and words in squads that squadc did not make', () => {
    const prompt = `${member(given, 'scheduling')}/assistant/model/messages/0/content`;
    const foreign = withValue(given, prompt, (old) => old.replace('of a phone call', 'of calls'));
    const at = placeOf(foreign, 'apiRequest');
    const worded = withValue(withValue(foreign, `${at}/name`, 'find'), `${at}/description`, 'Now.');
    expect(faultsOf(checkTools(worded))).toEqual([]);
    expect(checkTools(withValue(worded, `${at}/url`, 'x')).holds).toBe(false);
  });
});

describe('the conditions of a transfer', () => {
  const several: SpecWorkflow = {
    ...clinic,
    nodes: clinic.nodes.map((node) =>
      node.id === 'desk' ? { ...node, isGlobal: true, condition: 'is angry' } : node,
    ),
    edges: [...clinic.edges, edge('billing>desk: is lost; or late'), edge('scheduling>desk')],
  };
  const given = migrate(several);
  const at = (name: string) => {
    const tools = valueAt(given.document, toolsOf(given, name)) as JsonObject[];
    const index = tools.findIndex(({ type }) => type === 'transferCall');
    return `${toolsOf(given, name)}/${index}/destinations/0/description`;
  };

  it('are all there, those of the global node among them', () => {
    expect(faultsOf(checkTools(given))).toEqual([]);
    expect(valueAt(given.document, at('billing'))).toBe(
      'disputes the bill; or is lost; or late; or is angry',
    );
  });

  it.each([
    'is angry; or is lost; or late; or disputes the bill',
    'is lost; or late; or disputes the bill; or is angry',
  ])('may stand in any order: %s', (text) => {
    expect(faultsOf(checkTools(withValue(given, at('billing'), text)))).toEqual([]);
  });

  it.each([
    'disputes the bill; or is lost; or late',
    'disputes the bill; or is angry; or late',
    'disputes the bill; or is lost; or late; or is angry; or when done with billing',
    'disputes the bill; or is lost; or late; or is angry; or is angry',
    'disputes the bill is lost; or late; or is angry',
  ])('are no others: %s', (text) => {
    expect(checkTools(withValue(given, at('billing'), text)).holds).toBe(false);
  });

  it('have a sentence of squadc’s beside them for a way without one', () => {
    expect(valueAt(given.document, at('scheduling'))).toBe(
      'otherwise, when done with scheduling; or is angry',
    );
    expect(checkTools(withValue(given, at('scheduling'), 'is angry')).holds).toBe(false);
    const other = 'when done with billing; or is angry';
    expect(checkTools(withValue(given, at('scheduling'), other)).holds).toBe(false);
  });
});

describe('custom tools', () => {
  const tiers: SpecWorkflow = {
    name: 'Tiers',
    nodes: [talk('ask', { extractVariables: [captured('tier')] }), talk('gold'), talk('other')],
    edges: [edge("ask>gold: tier == 'gold'"), edge('ask>other: anything else')],
  };

  function answered(tool: string, target: 'squad' | 'vapi') {
    const [question] = compile(tiers).questions;
    const answer = { choice: 'tool', value: { tool } };
    return migrate(tiers, { target, answers: { answers: { [question!.id]: answer } } });
  }

  describe.each(targets)('for target %s', (target) => {
    const given = answered('Look up!', target);
    const at = placeOf(given, 'function');

    it('are there with the variables that they give', () => {
      const item = checkTools(given);
      expect(faultsOf(item)).toEqual([]);
      expect(item.evidence.map(({ text }) => text)).toEqual(['“ask” has the tool of “Look up!”.']);
    });

    it.each<[string, Json]>([
      ['function/description', 'Gives the confirmed value of name.'],
      ['function/parameters', { type: 'object', properties: {}, required: [] }],
      ['function/parameters/properties/tier/type', 'number'],
      ['function/parameters/properties/name', { type: 'string', description: 'name' }],
      ['function/parameters/required', ['tier']],
      ['variableExtractionPlan/aliases/0/value', '{{ $.name }}'],
      ['parameters', [{ key: 'tier', value: 'gold' }]],
    ])('fail with another %s', (field, value) => {
      expect(faultsOf(checkTools(withValue(given, `${at}/${field}`, value)))).toHaveLength(1);
    });

    it('fail under another name: somebody provides them under this one', () => {
      expect(faultsOf(checkTools(withValue(given, `${at}/function/name`, 'find')))).toEqual([
        '“ask” does not have the tool of “Look up!”.',
        '“ask” has the tool “find”, which none of its nodes needs.',
      ]);
    });

    it('fail where they are missing, and not where somebody says who answers them', () => {
      expect(checkTools(without(given, at)).holds).toBe(false);
      const served = withValue(given, `${at}/server`, { url: 'https://api.example.com' });
      expect(faultsOf(checkTools(served))).toEqual([]);
    });
  });
});

describe.each(targets)('operations for target %s', (target) => {
  const nodes = clinic.nodes.map((node) => {
    const { url: _, method: __, ...others } = node;
    return node.id === 'lookup' ? others : node;
  });
  const url = 'https://tools.example.com/calls';
  const value = { operation: 'bills.list', bind: { entry: 'main', limitRecord: 3 } };
  const options = {
    target,
    answers: { answers: { 'missing-endpoint:lookup': { choice: 'operation', value } } },
  };
  const given = migrate({ ...clinic, nodes }, { ...options, toolServer: { url } });
  const at = placeOf(given, 'function');

  it('are there', () => {
    expect(faultsOf(checkTools(given))).toEqual([]);
    const fixed = [
      { key: 'limitRecord', value: 3 },
      { key: 'entry', value: 'main' },
    ];
    expect(valueAt(given.document, `${at}/parameters`)).toEqual(fixed);
  });

  it.each<[string, Json]>([
    ['function/name', 'find'],
    ['function/description', 'Tells how many bills there are.'],
    ['function/parameters/properties/status/type', 'number'],
    ['function/parameters/properties/entry', { type: 'string' }],
    ['function/parameters/properties', { idBill: { type: 'integer' } }],
    ['parameters/0/value', 4],
    ['parameters', [{ key: 'limitRecord', value: 3 }]],
    ['parameters/1/value', '{{name}}'],
    ['server/url', 'https://other.example.com/calls'],
    ['server/credentialId', 'mine'],
    ['server', {}],
    ['variableExtractionPlan/aliases/0/value', '{{ $.name }}'],
  ])('fail with another %s', (field, other) => {
    expect(faultsOf(checkTools(withValue(given, `${at}/${field}`, other)))).toHaveLength(1);
  });

  it('may be answered by anybody where nobody is named', () => {
    const open = migrate({ ...clinic, nodes }, options);
    expect(faultsOf(checkTools(withValue(open, `${at}/server`, { url })))).toEqual([]);
  });
});

describe.each(targets)('operations that the platform calls itself, for target %s', (target) => {
  const lookedUp = request('lookup', { url: 'https://pay.example.com/api/Bill/{{name}}' });
  const nodes = clinic.nodes.map((node) => (node.id === 'lookup' ? lookedUp : node));
  const bindings = { lookup: { operation: 'bills.get' } };
  const given = migrate({ ...clinic, nodes }, { target, tools: 'direct', bindings });
  const at = placeOf(given, 'apiRequest');

  it('are there', () => {
    expect(faultsOf(checkTools(given))).toEqual([]);
    expect(valueAt(given.document, `${at}/url`)).toBe(
      'https://pay.example.com/api/Bill/{{ name | url_encode }}',
    );
  });

  it.each<[string, Json]>([
    ['url', 'https://pay.example.com/api/Bill/{{name}}'],
    ['url', 'https://pay.example.com/api/Bill/{{ reason | url_encode }}'],
    ['url', 'https://pay.example.com/api/Bill/approval/{{ name | url_encode }}'],
    ['url', 'https://other.example.com/api/Bill/{{ name | url_encode }}'],
    ['method', 'DELETE'],
    ['headers', {}],
  ])('fail with another %s', (field, other) => {
    expect(faultsOf(checkTools(withValue(given, `${at}/${field}`, other)))).toHaveLength(1);
  });
});

describe.each(targets)(
  'an operation for what an export says of a tool, for target %s',
  (target) => {
    const tool = {
      type: 'apiRequest',
      description: 'Finds the bill.',
      messages: [{ type: 'request-start', content: 'One moment.' }],
      parameters: [
        { key: 'status', value: '1' },
        { key: 'limitRecord', value: 5 },
      ],
      backoffPlan: { type: 'fixed', maxRetries: 2 },
    };
    const value = { operation: 'bills.list', bind: { entry: 'main', status: '2' } };
    const given = migrate(
      {
        name: 'Bills',
        nodes: [
          { name: 'desk', type: 'conversation', isStart: true, prompt: 'Ask which bill.' },
          { name: 'find', type: 'tool', tool },
        ],
        edges: [edge('desk>find')],
      } as unknown as SpecWorkflow,
      {
        target,
        answers: { answers: { 'missing-endpoint:find': { choice: 'operation', value } } },
      },
    );
    const at = placeOf(given, 'function');

    it('has it all', () => {
      expect(faultsOf(checkTools(given))).toEqual([]);
    });

    it.each<[string, Json]>([
      ['function/description', 'Finds the bills.'],
      ['messages/0/content', 'Wait.'],
      ['parameters/0/value', '1'],
      ['parameters/1/value', 50],
    ])('fails with another %s', (field, other) => {
      expect(faultsOf(checkTools(withValue(given, `${at}/${field}`, other)))).toHaveLength(1);
    });

    it.each(['messages', 'parameters/1'])('fails without %s', (field) => {
      expect(faultsOf(checkTools(without(given, `${at}/${field}`)))).toHaveLength(1);
    });
  },
);

describe('names of tools', () => {
  const url = 'https://api.example.com/same';
  const named = (id: string, name: string) => request(id, { url, name });
  const given = migrate({
    name: 'N',
    nodes: [talk('a'), named('b', 'Look up!'), named('c', 'find'), named('d', 'Find'), talk('e')],
    edges: ['a>b: x', 'b>c: y', 'c>d: z', 'd>e: w'].map(edge),
  });
  const at = placeOf(given, 'apiRequest').replace(/\/\d+$/, '');

  it('are made where the source’s are none, or taken', () => {
    expect([0, 1, 2].map((tool) => valueAt(given.document, `${at}/${tool}/name`))).toEqual([
      'Look_up',
      'find',
      'Find_2',
    ]);
    expect(faultsOf(checkTools(given))).toEqual([]);
  });

  it('are those that the prompt calls the tools by', () => {
    expect(faultsOf(checkTools(withValue(given, `${at}/0/name`, 'seek')))).toEqual([
      'The tool of “b” in “a” is called “seek”.',
    ]);
    expect(faultsOf(checkTools(withValue(given, `${at}/2/name`, 'seek')))).toEqual([
      'The tool of “d” in “a” is called “seek”.',
    ]);
    const taken = withValue(given, `${at}/1/name`, 'find_2');
    expect(checkTools(taken).holds).toBe(false);
  });
});

describe('guards', () => {
  const guarded: SpecWorkflow = {
    name: 'Guards',
    nodes: [
      talk('ask', { extractVariables: [captured('tier')] }),
      talk('gold'),
      talk('other'),
      {
        id: 'desk',
        type: 'transferCall',
        destination: '+14155550100',
        transferPlan: { message: 'Wait.' },
      },
    ],
    edges: [
      edge("ask>gold: tier == 'gold'"),
      edge('ask>other: anything else'),
      edge("ask>desk: tier == 'black'"),
      edge("gold>desk: tier == 'white'"),
      edge('gold>desk: is angry'),
    ],
  };
  const given = migrate(guarded, {
    target: 'vapi',
    answers: { policies: { 'logical-condition': 'guard' } },
  });
  const plans = places(given.document)
    .map(({ at }) => at)
    .filter((at) => at.endsWith('/rejectionPlan'));

  it('refuse where no way is open', () => {
    expect(faultsOf(checkTools(given))).toEqual([]);
    expect(
      plans.map((at) => valueAt(given.document, at.replace(/rejectionPlan$/, 'type'))),
    ).toEqual(['handoff', 'transferCall']);
  });

  it.each([0, 1])('fail where a plan is lost or altered: %i', (which) => {
    const plan = plans[which]!;
    const liquid = `${plan}/conditions/0/liquid`;
    const damaged = [
      without(given, plan),
      withValue(given, liquid, (old) => old.replace('tier', 'tiers')),
      withValue(given, liquid, (old) => old.replace('false{% else %}true', 'true{% else %}false')),
      withValue(given, liquid, 'false'),
      withValue(given, `${plan}/conditions/0/type`, 'regex'),
      withElement(given, `${plan}/conditions`, { type: 'liquid', liquid: 'false' }),
      withValue(given, plan, {}),
    ];
    for (const each of damaged) {
      const faults = checkTools(each).evidence.filter(({ holds }) => !holds);
      expect(faults.map(({ text }) => text)).toEqual([
        which === 0
          ? 'A handoff of “ask” is not refused exactly where its conditions do not hold.'
          : 'The tool of “desk” in “ask” is not refused exactly where its conditions do not hold.',
      ]);
    }
  });

  it('fail where what is open is refused', () => {
    const plan = valueAt(given.document, plans[1]!);
    const open = [`${toolsOf(given, 'gold')}/0/rejectionPlan`];
    for (const at of open) {
      expect(checkTools(withValue(given, at, plan ?? null)).holds).toBe(false);
    }
  });
});

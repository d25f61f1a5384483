/** Fields of nodes, edges and documents: which are read, in which spellings, and how the rest is reported. */
import { describe, expect, it } from 'vitest';
import { toGraph } from '../../src/index.js';
import {
  compile,
  exported,
  type Fields,
  flow,
  noEnd,
  tableOf,
  toolsOf,
} from '../compiler/build.js';

const findings = (workflow: unknown, options = {}) =>
  compile(workflow, options)
    .diagnostics.filter(({ code }) => code !== noEnd)
    .map(({ code, at }) => `${code} ${at}`.trim());

/** A table: JSON, and after an arrow what is reported. */
function rows(table: string): [Fields, string[]][] {
  const lines = table.split('\n').filter((line) => line.includes('=>'));
  return lines.map((line) => {
    const [document = '', told = ''] = line.split('=>');
    return [JSON.parse(document) as Fields, told.split(',').flatMap((it) => it.trim() || [])];
  });
}

const talk = { systemPrompt: 'A.' };
/** The findings on a node, without those about captures that nothing reads. */
const near = (found: string[]) =>
  found
    .filter((it) => !/^data\/(?:unused|lost)/.test(it))
    .map((it) => it.replace('/nodes/1', '').trim());
const told = (node: Fields) => near(findings(flow({ a: talk, b: node }, 'a > b')));
const toldOf = (node: Fields, options = {}) =>
  near(findings(exported({ a: {}, b: node }, 'a > b'), options).slice(1));

describe('a node of the spec', () => {
  it.each(
    rows(`
    {"type":"gather","systemPrompt":"A.","name":"Bee","firstMessage":"Hi.","isGlobal":false,"enum":1} => shape/unknown-field /enum
    {"systemPrompt":"A.","fistMessage":"x","note":null} => shape/unknown-field /fistMessage, shape/unknown-field /note
    {"systemPrompt":"A.","firstMessage":7} => shape/wrong-type /firstMessage
    {"type":"menu"} => shape/unknown-node-type /type
    {"type":""} => shape/missing-field
    {"type":"Conversation"} => shape/unknown-node-type /type
    {"systemPrompt":"A.","id":""} => shape/empty-id /id, flow/missing-node /edges/0/to
    {"systemPrompt":"A.","id":"constructor"} => shape/reserved-name /id, flow/missing-node /edges/0/to
    {"systemPrompt":"A.","id":"a"} => shape/duplicate-id /id, flow/missing-node /edges/0/to
    {"systemPrompt":"A.","id":7} => shape/wrong-type /id, flow/missing-node /edges/0/to
    {"systemPrompt":"A.","id":null} => shape/missing-field, flow/missing-node /edges/0/to
    {"systemPrompt":"A.","firstMessage":null,"condition":"","extractVariables":null,"isGlobal":null} =>
    {"systemPrompt":"A.","condition":"x"} => flow/condition-without-global /condition
    {"systemPrompt":"A.","isGlobal":"yes"} => shape/wrong-type /isGlobal
    {"systemPrompt":"A.","url":"x","destination":"+4930123456"} => shape/misplaced-field /destination, shape/misplaced-field /url
    {"type":"endCall","extractVariables":[]} => shape/misplaced-field /extractVariables
    {"systemPrompt":"A.","model":{"provider":"p"}} => shape/unusable-model /model
    {"systemPrompt":"A.","voice":"x"} => shape/wrong-type /voice
    {"systemPrompt":"A.","model":{"provider":"p","model":"m","tools":[]}} => shape/unknown-field /model/tools
    {"type":"transferCall","destination":"030 123"} => flow/not-e164 /destination
    {"type":"transferCall","destination":"+4930123456","transferPlan":{"message":1,"mode":"x"}} => shape/wrong-type /transferPlan/message, shape/unknown-field /transferPlan/mode
    {"type":"apiRequest","url":"https://x.example","method":"FETCH","headers":{"X-Api-Key":"{{ now }}"}} => shape/unknown-method /method
    {"type":"apiRequest","url":"https://x.example","method":"GET","headers":{"X-Api-Key":"{{ now }}"},"timeoutSeconds":301,"body":"x"} => shape/wrong-type /body, shape/wrong-type /timeoutSeconds
    {"type":"apiRequest","url":"https://x.example","method":"GET","headers":{"Authorization":"Bearer s"}} => data/literal-secret /headers/Authorization
    {"type":"apiRequest","url":"https://x.example","method":"GET","headers":{"X-Api-Key":"{{ now }}"},"responseVariables":[{"name":"x y","path":"a b"},{"name":"z"}]} => data/unreadable-name /responseVariables/0/name, data/alias-key /responseVariables/0/name, shape/response-path /responseVariables/0/path, shape/missing-field /responseVariables/1
  `),
  )('%j', (node, expected) => {
    expect(told(node)).toEqual(expected);
  });

  it.each(
    rows(`
    {} => shape/wrong-type
    [7] => shape/wrong-type /0
    [{"name":"x"}] => shape/missing-field /0
    [{"name":"x","type":"text"}] => shape/unknown-variable-type /0/type
    [{"name":"x","type":"integer"}] => shape/unknown-variable-type /0/type
    [{"name":"x","type":"string","enum":["a",1]}] => shape/wrong-type /0/enum
    [{"name":"x","type":"string","enum":["{a"]}] => shape/unsafe-name /0/enum/0
    [{"name":"__proto__","type":"string"}] => shape/reserved-name /0/name
    [{"name":"x\\ny","type":"string"}] => shape/unsafe-name /0/name
    [{"name":"1x","type":"string"}] => data/unreadable-name /0/name
    [{"name":"x","type":"string"},{"name":"x","type":"number"}] => data/set-twice /1
    [{"name":"x","type":"string","note":1}] => shape/unknown-field /0/note
  `),
  )('captures %j', (extractVariables, expected) => {
    const found = told({ ...talk, extractVariables });
    expect(found.map((it) => it.replace('/extractVariables', '').trim())).toEqual(expected);
  });

  it('suggests the field that was probably meant', () => {
    const meant = (fields: Fields) => compile(flow({ a: fields })).diagnostics[0]?.message;
    expect(meant({ systemPromt: 'A.' })).toContain('systemPrompt');
    expect(meant({ ...talk, systemPromt: 'A.' })).not.toContain('systemPrompt');
  });
});

describe('a document of the spec', () => {
  const plain = flow({ a: talk });

  it.each(
    rows(`
    {"name":null} => shape/no-name
    {"name":7} => shape/wrong-type /name
    {"nodes":[]} => shape/no-nodes /nodes
    {"nodes":{}} => shape/dialect /nodes, shape/read-as /nodes, shape/no-nodes /nodes
    {"nodes":[7]} => shape/wrong-type /nodes/0, shape/no-nodes /nodes
    {"edges":null} => shape/no-edges
    {"edges":[{"from":"a","to":"z"},{"to":"a"}]} => flow/missing-node /edges/0/to, shape/missing-field /edges/1
    {"edges":[{"from":"a","to":"a","condition":7,"label":"x"}]} => shape/wrong-type /edges/0/condition, shape/unknown-field /edges/0/label
    {"globalPrompt":7,"voice":[]} => shape/wrong-type /voice, shape/wrong-type /globalPrompt
    {"edge":[]} => shape/unknown-field /edge
    {"model":{"provider":"openai"}} => shape/unusable-model /model
  `),
  )('%j', (fields, expected) => {
    expect(findings({ ...plain, ...fields })).toEqual(expected);
  });

  it('must have ids that differ by more than Unicode normalization', () => {
    const nodes = ['\u00e9', 'e\u0301'].map((id) => ({ ...plain.nodes[0], id }));
    expect(findings({ ...plain, nodes })[0]).toBe('shape/ambiguous-id /nodes/1/id');
  });

  it('suggests the nearest id for a missing node, and lists unknown fields in the ledger', () => {
    const edges = [{ from: 'a', to: 'reception' }];
    const document = { ...flow({ a: talk, receptoin: talk }), edges };
    expect(compile(document).diagnostics[0]?.help).toContain('receptoin');
    const { ledger } = compile({ ...plain, note: 1 });
    expect(ledger).toContainEqual(expect.objectContaining({ at: '/note', status: 'dropped' }));
  });
});

describe('a document is detected as an export by', () => {
  it.each(
    rows(`
    {"nodes":[{"id":"a","type":"conversation","prompt":"A."}]} => /nodes/0/prompt
    {"nodes":[7,{"id":"a","type":"conversation"},{"id":"a","type":"conversation","toolIds":[]}]} => /nodes/2/toolIds
    {"nodes":[{"id":"a","type":"Say"}]} => /nodes/0/type
    {"nodes":[{"id":"a","type":"TOOL"}]} => /nodes/0/type
    {"nodes":[{"id":"a","type":"conversation","destination":{}}]} => /nodes/0/destination
    {"nodes":[{"id":"a","type":"conversation","extractVariables":{"x":{}}}]} => /nodes/0/extractVariables
    {"nodes":[{"name":"a","type":"conversation"}]} => /nodes/0
    {"nodes":[{"id":"a","type":"conversation"}],"edges":[{"source":"a","target":"a"}]} => /edges/0
    {"nodes":[{"id":"a","type":"conversation"}],"edges":[{"from":"a","to":"a","condition":{"type":"ai"}}]} => /edges/0/condition
    {"workflow":{"nodes":[{"id":"a","type":"conversation"}]}} => /workflow
  `),
  )('%j', (document, [at]) => {
    expect(findings(document)[0]).toBe(`shape/dialect ${at}`);
  });

  it.each(['conversation', 'say it'])('nothing else, as a node of the type %s shows', (type) => {
    expect(findings({ nodes: [{ id: 'a', type }] })[0]).not.toContain('shape/dialect');
  });
});

/** Two spellings that give the same squad; the laws of dialects cover the rest. */
describe('an export may spell differently', () => {
  const both =
    '[{"name":"x","type":"string","description":"an x"},{"name":"y","type":"string","enum":["1","b"]}]';
  const line = '"type":"transferCall","destination"';
  const call =
    '"name":"b","url":"https://x.example","method":"get","credentialId":"c","type":"apiRequest"';
  const table = `
    {"type":"say","exact":"Hi."} = {"firstMessage":"Hi."}
    {"type":"hangup","endMessage":"Bye."} = {"type":"hangup","firstMessage":"Bye."}
    {"prompt":null,"instructions":"Do b."} = {"systemPrompt":"Do b."}
    {"type":"End-Call"} = {"type":"endCall"}
    {"variableExtractionPlan":{"schema":{"type":"object","properties":{"x":{"type":["null","String"],"description":"an x"},"y":{"enum":[1,"b"]}},"required":["x"]}}} = {"extractVariables":${both}}
    {"variableExtractionPlan":{"output":[{"name":null,"type":"string","description":"an x","title":"x"},{"key":"y","enum":["1","b"]}]}} = {"extractVariables":${both}}
    {"extract_variables":{"y":{"enum":["1","b"]},"x":{"description":"an x"}}} = {"extractVariables":${both}}
    {"output":${both}} = {"extractVariables":${both}}
    {"options":["1","b"]} = {"extractVariables":[{"name":"input","type":"string","enum":["1","b"]}]}
    {"type":"transfer","destination":{"number":"+4930123456","message":"One moment."}} = {${line}:"+4930123456","transferPlan":{"message":"One moment."}}
    {"type":"tool","tool":{"type":"transferCall","destinations":[{"type":"sip","sipUri":"sip:a@x.example"}]}} = {${line}:"sip:a@x.example"}
    {"type":"tool","tool":{${call},"variableExtractionPlan":{"aliases":[{"key":"r","value":"{{ $.a.b }}"}]}}} = {${call},"responseVariables":[{"name":"r","path":"$.a.b"}]}
  `;
  const pairs = table.split('\n').filter((row) => row.includes(' = '));

  it.each(pairs.map((row) => row.split(' = ')))('%s', (...both) => {
    const [one, other] = both.map((text) => {
      const nodes = { a: {}, b: JSON.parse(text) as Fields, c: {} };
      return compile(exported(nodes, 'a > b: the caller asks | a > c'));
    });
    expect(one!.status).toBe('complete');
    expect(JSON.stringify(one!.output)).toBe(JSON.stringify(other!.output));
  });

  it('the start, as a node or a mark, and the ends of edges, as names or ids', () => {
    const edges = ['go > b', { source: '7', target: 'a' }];
    const graph = toGraph(
      exported({ go: { type: 'start', prompt: null }, b: { id: '7' }, a: {} }, edges),
    );
    expect([graph.nodes(), graph.edges().length]).toEqual([['7', 'a'], 1]);
    const starts = (...marked: string[]) => {
      const nodes = ['a', 'b'].map((it) => [it, { isStart: marked.includes(it) }] as const);
      return findings(exported(Object.fromEntries(nodes), 'a > b | b > a: again'));
    };
    expect(starts('b')).not.toContain('flow/several-starts /nodes/1/isStart');
    expect(starts('a', 'b')).toContain('flow/several-starts /nodes/1/isStart');
  });
});

describe('a node of an export', () => {
  it.each(
    rows(`
    {"tint":"red","mood":null,"notes":[],"text":""} => shape/unknown-field /tint
    {"systemPrompt":"B.","instructions":"C."} =>
    {"name":null} => shape/made-up-id , flow/missing-node /edges/0/to
    {"type":"teleport"} => shape/unknown-node-type /type
    {"firstMessage":"B.","text":"C."} => shape/lost-text /text
    {"type":"assistant","assistantId":"an-id"} => shape/saved-assistant /assistantId, shape/lost-text /prompt
    {"type":"tool"} => shape/missing-field
    {"type":"tool","toolId":"t-1"} => shape/tool-by-id /toolId, shape/unnamed-tool /toolId
    {"tools":[{"type":"handoff"},{}]} => shape/unsupported-tool /tools/0/type, shape/missing-field /tools/1
    {"toolIds":[7]} => shape/read-as /toolIds/0, shape/tool-by-id /toolIds/0
    {"toolIds":[{}]} => shape/wrong-type /toolIds/0
    {"isGlobal":"False"} => shape/read-as /isGlobal
    {"isGlobal":"no"} => shape/wrong-type /isGlobal
    {"type":"tool","tool":{"type":"apiRequest","url":"https://x.example","timeoutSeconds":"9"}} => shape/read-as /tool/timeoutSeconds
    {"type":"tool","tool":{"type":"apiRequest","url":"https://x.example","timeoutSeconds":"nine"}} => shape/wrong-type /tool/timeoutSeconds
    {"type":"assistant"} => shape/missing-field
    {"type":"assistant","assistantId":"an id","prompt":""} => shape/assistant-id /assistantId
    {"extractVariables":[{"type":"string"}]} => shape/missing-field /extractVariables/0, shape/unknown-field /extractVariables/0/type
    {"variableExtractionPlan":{"aliases":[{"key":"1 x","value":"y"}]}} => data/unreadable-name /variableExtractionPlan/aliases/0/key, data/alias-key /variableExtractionPlan/aliases/0/key
    {"variableExtractionPlan":{"aliases":[{"key":"a-b","value":"y"}]}} => data/alias-key /variableExtractionPlan/aliases/0/key
    {"variableExtractionPlan":{"aliases":[{"key":"__proto__","value":"y"}]}} => shape/reserved-name /variableExtractionPlan/aliases/0/key, data/alias-key /variableExtractionPlan/aliases/0/key
    {"variableExtractionPlan":{"aliases":[{"key":"${'x'.repeat(41)}","value":"y"}]}} => data/alias-key /variableExtractionPlan/aliases/0/key
    {"variableExtractionPlan":{"aliases":[{"key":"k","value":"{{ first"}]}} => shape/liquid-syntax /variableExtractionPlan/aliases/0/value
    {"variableExtractionPlan":{"aliases":[{"key":"k","value":"y","note":1}]}} => shape/unknown-field /variableExtractionPlan/aliases/0/note
    {"options":[{}]} => shape/unsafe-name /options/0
    {"type":"transfer","destinations":[{"type":"pigeon"}]} => shape/wrong-type /destinations/0/type
    {"type":"transfer","destinations":[{"number":"+4930123456"},{"type":"sip"}]} => shape/missing-field /destinations/1
    {"model":{"provider":"p","model":"m","messages":[{"role":"user","content":"x"},{"role":"system","content":"y"}]}} => shape/read-as /model/messages/0/role, check/setting-unknown /model/provider
    {"model":{"provider":"p","model":"m","messages":[{"role":"assistant","content":"x"}]}} => shape/lost-text /model/messages/0/content
  `),
  )('%j', (node, expected) => {
    expect(toldOf(node)).toEqual(expected);
  });
});

/** A node that follows another, compiled for the platform. */
const compiledWith = (node: Fields, more: Fields = {}) =>
  compile(exported({ a: {}, b: node }, 'a > b', more), { target: 'vapi' });
const toolIn = (node: Fields) => toolsOf(compiledWith(node))[0];

const inline = (tool: Fields) => ({ type: 'tool', tool });
const call = { type: 'apiRequest', url: 'https://x.example', method: 'POST' };

/** The fields of a tool, and those that the squad gets. */
describe('a tool in an older form', () => {
  const said = { name: 'find', description: 'Finds it.' };
  const stub = { name: 'untitled_tool', description: 'x', parameters: { type: 'object' } };
  const server = { url: 'https://x.example/f' };
  const secret = { ...server, headers: { 'X-Vapi-Secret': '{{now}}' } };
  const f = { name: 'f' };
  const asFunction: [Fields, Fields][] = [
    [
      { function: { ...f, serverUrl: server.url, async: true } },
      { function: f, server, async: true },
    ],
    [
      { function: f, serverUrl: server.url, serverUrlSecret: '{{now}}' },
      { function: f, server: secret },
    ],
    [
      { ...said, server },
      { function: said, server },
    ],
    [{ function: f, server: null, messages: null }, { function: f }],
  ];
  const of = (properties: Fields) => ({ body: { type: 'object', properties } });
  const now = { type: 'string', value: '{{ now }}' };
  const asRequest: [Fields, Fields][] = [
    [{ function: stub }, { name: 'look' }],
    [{ name: undefined, function: said }, said],
    [of({ a: { type: 'string', default: '{{ now }}' } }), of({ a: now })],
    [of({ a: { type: 'string', enum: '{{ now }}', default: '' } }), of({ a: now })],
    [
      of({ a: { type: 'string', default: 'red' } }),
      of({ a: { type: 'string', description: '(default: "red")' } }),
    ],
  ];

  it.each([
    ...asFunction.map(([old, now]) => [{ type: 'function', ...old }, now] as const),
    ...asRequest.map(([old, now]) => [{ ...call, name: 'look', ...old }, now] as const),
  ])('%j', (old, expected) => {
    for (const holder of [inline(old), { tools: [old] }]) {
      expect(toolIn(holder)).toMatchObject(expected);
      expect(JSON.stringify(toolIn(holder))).not.toMatch(/null|untitled|serverUrl/);
    }
  });

  it('lists the variables of its response', () => {
    const output = [{ key: 'order.id', target: 'id', type: 'string' }];
    const { variableExtractionPlan: plan } = toolIn({ ...call, output });
    expect(plan).toEqual({ aliases: [{ key: 'id', value: '{{ $.order.id }}' }] });
  });
});

/** What causes a warning at its node. */
it.each(
  tableOf(`
  {"url":"https://\${HOST}/x"} || data/unfilled-placeholder /url
  {"url":"https://your-domain.example/x"} || data/unfilled-placeholder /url
  {"headers":{"X-Org":"<ORG_ID>"}} || data/unfilled-placeholder /headers/X-Org
  {"type":"transferCall","destination":"YOUR_NUMBER"} || data/unfilled-placeholder /destination
  {"type":"tool","tool":{"type":"function","function":{"name":"f"},"serverUrl":"https://YOUR_HOST"}} || data/unfilled-placeholder /tool/serverUrl
  {"type":"transferCall","destinations":[{"sipUri":"sip:a@x.example","transferPlan":{"mode":"blind-transfer","verb":"refer"}}]} || check/setting-unknown /destinations/0/transferPlan/verb
  {"tools":[{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{"{{ role }}":{"type":"string"}}}}}]} || data/template-key /tools/0/function/parameters/properties/{{ role }}
  `),
)('%s is warned about: %s', (fields = '', expected) => {
  const node = JSON.parse(fields) as Fields;
  const { diagnostics } = compiledWith(
    node['url'] || node['headers'] ? { ...call, ...node } : node,
  );
  const warned = diagnostics.filter(({ severity }) => severity === 'warning');
  expect(warned.map(({ code, at }) => `${code} ${at.replace('/nodes/1', '')}`)).toContain(expected);
});

describe('what the target rejects', () => {
  const first = { type: 'number', number: '+12025550100' };
  const to = (...others: Fields[]) => ({
    type: 'tool',
    tool: { type: 'transferCall', destinations: [first, ...others] },
  });
  it.each<[Fields, string, boolean?]>([
    [{ type: 'transferCall', destination: '11' }, '/destination'],
    [{ type: 'transferCall', destination: '1'.repeat(41) }, '/destination'],
    [to({ type: 'number', number: '1' }), '/tool/destinations/1/number'],
    [to(first, { type: 'number', number: '1'.repeat(41) }), '/tool/destinations/2/number'],
    [{ ...call, credentialId: 'c', body: { '': 1 } }, '/body/'],
    [
      {
        ...call,
        credentialId: 'c',
        responseVariables: [{ name: 'k', path: `a${'.b'.repeat(5000)}` }],
      },
      '/responseVariables/0/path',
      true,
    ],
  ])('is reported with its place, for that target only: %j', (node, place, forBoth = false) => {
    const line = exported({ a: {}, b: { prompt: null, ...node } }, 'a > b');
    const all = (target: string) =>
      findings(line, { target, answers: { policies: { 'missing-auth': 'none' } } });
    expect(all('vapi')).toContain(`lower/refused-tool /nodes/1${place}`);
    expect(all('squad').some((it) => it.startsWith('lower/refused'))).toBe(forBoth);
  });

  it('is reported at each node that it stands in, although equal tools are written once', () => {
    const tools = [{ type: 'function', function: { name: 'no name' } }];
    const nodes = { a: { tools }, b: { tools }, c: { tools, prompt: 'Do b.' } };
    const found = findings(exported(nodes, 'a > b: x | a > c: x'), { target: 'vapi' });
    expect(found.filter((it) => it.startsWith('lower/refused'))).toEqual(
      [0, 1, 2].map((at) => `lower/refused-tool /nodes/${at}/tools/0/function/name`),
    );
  });

  it('is reported for a derived text that is passed on', () => {
    const faultsOf = (length: number) => {
      const aliases = [{ key: 'k', value: 'x'.repeat(length) }];
      const nodes = { a: { variableExtractionPlan: { aliases } }, b: { prompt: '{{k}}' }, c: {} };
      const found = findings(exported(nodes, 'a > b: x | a > c: y'), { target: 'vapi' });
      return found.filter((it) => it.startsWith('lower/'));
    };
    const fault = 'lower/refused-tool /nodes/0/variableExtractionPlan/aliases/0/value';
    expect([faultsOf(10_000), faultsOf(10_001)]).toEqual([[], [fault]]);
  });
});

describe('toGraph', () => {
  it('has the nodes by id, and one edge for parallel ones', () => {
    const nodes = { a: { ...talk, name: 'Anna' }, b: { type: 'endCall', isGlobal: true } };
    const graph = toGraph(flow(nodes, 'a > b: asked | a > b'));
    const [role, name, words, at] = ['talk', 'Anna', null, '/nodes/0'];
    const anna = { type: 'conversation', role, name, words, isGlobal: false, at };
    expect(graph.getNodeAttributes('a')).toEqual(anna);
    expect(graph.getNodeAttribute('b', 'isGlobal')).toBe(true);
    const both = { conditions: ['asked', null], at: ['/edges/0', '/edges/1'] };
    expect(graph.getEdgeAttributes('a', 'b')).toEqual(both);
  });

  it('throws for an invalid workflow', () => {
    expect(() => toGraph({ nodes: [] })).toThrow('shape/no-nodes');
  });
});

/** From a workflow to the state of the services, through everything in between. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it, onTestFinished } from 'vitest';
import { compile, verify } from '../../src/index.js';
import { bindFor, compileBound } from '../../src/serve/compile-bound.js';
import { addressOf, type Result, serving, temporaryFolder } from '../cli/fake-io.js';
import { stage } from './stage.js';

type Fields = Readonly<Record<string, unknown>>;

const talk = (id: string, systemPrompt: string, ...names: readonly string[]) => {
  const extractVariables = names.map((name) => ({ name, type: 'string', description: name }));
  return { id, type: 'conversation', systemPrompt, firstMessage: 'Rent office.', extractVariables };
};

const request = (id: string, method: string, path: string, more: object = {}) => {
  const url = `https://pay.example.com/api${path}`;
  const headers = { requestToken: '{{pay_token}}' };
  return { id, type: 'apiRequest', method, url, headers, ...more };
};

const text = (value: string) => ({ type: 'string', value });
const body = {
  type: 'object',
  properties: { billDate: text('{{bill_day}}'), billNumber: text('{{bill_number}}') },
};

/** A call whose requests go to both services, with values that the caller says. */
const nodes = [
  talk('ask', 'Ask for the vendor, the bill and the day.', 'vendor', 'bill_number', 'bill_day'),
  request('enter-bill', 'POST', '/Bill/single/shop', {
    body,
    responseVariables: [{ name: 'bill_id', path: 'responseData' }],
  }),
  request('look-up', 'GET', '/Bill/{{bill_id}}', {
    responseVariables: [{ name: 'amount', path: 'responseData.NetAmount' }],
  }),
  talk('tell', 'Tell the caller that {{amount}} euros are due.'),
  request('submit', 'POST', '/Bill/approval/{{bill_id}}'),
  request('scan', 'POST', '/workflow_runs'),
  { id: 'end', type: 'endCall' },
];
const edges = nodes.slice(1).map(({ id }, at) => ({ from: nodes[at]?.id, to: id }));
const rentOffice = { name: 'Rent office', nodes, edges };

/** The bindings of the requests; only the documents service knows `workflowId`. */
const bindingsWith = (workflowId: string) => ({
  'enter-bill': {
    operation: 'bills.create',
    bind: {
      ...{ entry: 'shop', comments: 'By telephone', terms: 'NET30', vendorNumber: '{{vendor}}' },
      ...{ billDate: '{{bill_day}}', billNumber: '{{bill_number}}' },
    },
  },
  'look-up': { operation: 'bills.get', bind: { idBill: '{{bill_id}}' } },
  submit: {
    operation: 'bills.sendToApproval',
    bind: { idBill: '{{bill_id}}', users: ['ann@example.com'] },
  },
  scan: { operation: 'documents.workflowRuns.create', bind: { workflowId } },
});

const toolServer = { url: 'https://tools.example.com/calls', credentialId: 'tool-calls' };

interface Tool {
  readonly function: { readonly name: string; readonly parameters: Fields };
  readonly server: unknown;
  readonly parameters?: readonly { readonly key: string; readonly value: unknown }[];
  readonly variableExtractionPlan?: {
    readonly aliases: readonly { readonly key: string; readonly value: string }[];
  };
}

/** The tools of a document of either target, by name. */
function toolsOf(document: unknown): ReadonlyMap<string, Tool> {
  const { squad = document } = document as { squad?: unknown };
  const { members } = squad as { members: { assistant: { model: { tools?: Tool[] } } }[] };
  const tools = members.flatMap(({ assistant }) => assistant.model.tools ?? []);
  return new Map(tools.filter((each) => each.function).map((each) => [each.function.name, each]));
}

/** The shapes in which the platform sends a call. */
const shapes: readonly ((id: string, name: string, given: object) => object)[] = [
  (id, name, given) => ({ toolCallList: [{ id, name, arguments: given }] }),
  (id, name, given) => ({ toolCallList: [{ id, name, parameters: given }] }),
  (id, name, given) => ({
    toolCallList: [{ id, type: 'function', function: { name, arguments: JSON.stringify(given) } }],
  }),
  (id, name, given) => ({ toolWithToolCallList: [{ name, toolCall: { id, parameters: given } }] }),
];

/**
 * What the platform does about tool calls: it sends the arguments of the model with the values that the
 * tool fixes, in each shape in turn, and keeps what comes back as variables.
 */
function phoneCall(document: unknown, server: string) {
  const tools = toolsOf(document);
  const bag: Record<string, unknown> = {};
  const ajv = new Ajv2020({ strict: false });
  const filled = (value: unknown) =>
    `${value}`.replaceAll(/\{\{ *(\w+) *\}\}/g, (_, name: string) => `${bag[name] ?? ''}`);
  let calls = 0;
  const say = async (name: string, said: object): Promise<Result> => {
    const tool = tools.get(name) ?? expect.fail(`no tool ${name}`);
    // The model is held to the schema of the tool, and the tool leads to the server.
    expect(ajv.validate(tool.function.parameters, said)).toBe(true);
    expect(tool.server).toEqual(toolServer);
    const fixed = (tool.parameters ?? []).map(({ key, value }) => {
      return [key, typeof value === 'string' ? filled(value) : value];
    });
    const shape = shapes[calls % shapes.length]!;
    calls += 1;
    const call = shape(`tool-${calls}`, name, { ...said, ...Object.fromEntries(fixed) });
    const message = { type: 'tool-calls', call: { id: 'call-1' }, ...call };
    const headers = { authorization: 'Bearer a-secret' };
    const init = { method: 'POST', headers, body: JSON.stringify({ message }) };
    const { results } = (await (await fetch(server, init)).json()) as { results: Result[] };
    const [answer = expect.fail('no answer')] = results;
    if (answer.result?.startsWith('{')) {
      const told = JSON.parse(answer.result);
      for (const { key, value } of tool.variableExtractionPlan?.aliases ?? []) {
        bag[key] = told[/^\{\{ \$\.(\w+) \}\}$/.exec(value)?.[1] ?? ''];
      }
    }
    return answer;
  };
  return { bag, say };
}

const { folder, put } = temporaryFolder();

/** `squadc serve` with a configuration as one would write it; the bindings are pasted in. */
async function serveTools(config: object): Promise<string> {
  const env = { TOOLS: 'a-secret', BILLS: 'sandbox-key', DOCUMENTS: 'sandbox-key' };
  put('serve.json', { secret: { env: 'TOOLS' }, fileHosts: ['files.example.com'], ...config });
  const command = serving('serve --config serve.json --port 0', { env, cwd: folder });
  onTestFinished(async () => {
    command.interrupt();
    await command.ended;
  });
  return addressOf(command);
}

it.each(['squad', 'vapi'] as const)(
  'a migrated squad (target %s) carries out its calls in the services',
  async (target) => {
    const { sandbox, documents } = await stage();
    const { id } = await documents.workflows.create({ name: 'Scans' });
    const bindings = bindingsWith(id);
    const answers = { policies: { 'values-after-call': 'structured-output' } };
    const options = { target, toolServer, bindings, dynamicVariables: ['pay_token'], answers };
    const squad = compileBound(compile, rentOffice, options);
    expect(squad).toMatchObject({ status: 'complete', questions: [] });
    const bound = bindFor(rentOffice, options);
    expect(verify(bound.workflow, squad.output, bound.options)).toMatchObject({ holds: true });
    const tools = squad.toolBindings ?? {};
    const server = await serveTools({
      bills: { baseUrl: sandbox.billsUrl, apiKeyEnv: 'BILLS' },
      documents: { baseUrl: sandbox.documentsUrl, apiKeyEnv: 'DOCUMENTS' },
      allow: Object.values(tools).map(({ operation }) => operation),
      bind: { entry: 'shop' },
      tools,
    });
    const call = phoneCall(squad.output, server);

    // The model fills in what the caller has just said.
    const heard = { vendorNumber: 'V-7', billNumber: '2026/17', billDate: '2026-03-01' };
    await call.say('enter-bill', { ...heard, netAmount: 1250.5, dueDate: '2026-03-31' });
    const bill = {
      ...{ BillNumber: '2026/17', NetAmount: 1250.5, DueDate: '2026-03-31' },
      ...{ Comments: 'By telephone', Terms: 'NET30', PaypointEntryname: 'shop' },
      Vendor: { VendorNumber: 'V-7' },
    };
    expect(sandbox.bills.all()).toMatchObject([{ ...bill, Status: 1 }]);
    expect(call.bag['bill_id']).toBe(sandbox.bills.all()[0]?.IdBill);

    expect((await call.say('look-up', {})).result).toContain('net amount 1,250.50');
    expect(call.bag['amount']).toBe(1250.5);

    await call.say('submit', {});
    const billApprovals = [{ email: 'ann@example.com' }];
    expect(sandbox.bills.all()).toMatchObject([{ ...bill, Status: 2, billApprovals }]);

    const fileUrl = 'https://files.example.com/lease.pdf';
    expect((await call.say('scan', { fileUrl })).result).toMatch(/Run ID workflow_run_/);
    expect(sandbox.documents.runs().size).toBe(1);
  },
);

/** What becomes of a call: hostile arguments, files, accounts, tools of a squad, deadlines, documents. */
import { describe, expect, it, vi } from 'vitest';
import { newBill, type Stage, stage } from './stage.js';

const megabyte = 'x'.repeat(1024 * 1024);

/** Arguments as objects, and as JSON. */
const hostile: readonly (readonly [tool: string, given: unknown])[] = [
  ['get_bill', { idBill: '1' }],
  ['get_bill', { idBill: [1] }],
  ['get_bill', { idBill: { $gt: 0 } }],
  ['get_bill', {}],
  ['get_bill', null],
  ['get_bill', 'idBill=1'],
  ['get_bill', '{"idBill":1e999}'],
  ['delete_bill', { idBill: 1, force: true }],
  ['delete_bill', '{"idBill":1,"__proto__":{"admin":true}}'],
  ['delete_bill', '{"idBill":1,"constructor":{"prototype":{}}}'],
  ['delete_bill', '{"__proto__":{"idBill":1}}'],
  ['delete_bill_file', { idBill: 1, filename: '../1' }],
  ['delete_bill_file', { idBill: 1, filename: '..\\x.pdf' }],
  ['delete_bill_file', { idBill: 1, filename: 'x%2f..%2fy' }],
  ['delete_bill_file', { idBill: 1, filename: 'x\u0000.pdf' }],
  ['delete_bill_file', { idBill: 1, filename: megabyte }],
  ['decide_on_bill', { idBill: 1, approved: 'true/../../2' }],
  ['decide_on_bill', { idBill: 1, approved: true, email: 'boss@example.com' }],
  ['send_bill_to_approval', { idBill: 1, autocreateUser: true }],
  ['change_bill', { idBill: 1, status: 100 }],
  ['change_bill', { idBill: 1, billDate: 'tomorrow' }],
  ['change_bill', { idBill: 1, billNumber: megabyte }],
  ['create_bill', { netAmount: 5, billDate: '2026-03-01', idempotencyKey: 'mine' }],
  ['list_bills', { status: 'eq)=1&exportFormat=csv' }],
  ['list_bills', { rawFilters: { 'status(eq)': 1 } }],
  ['parse_document', { fileId: 'file_1' }],
  ['get_parse_status', { id: '../files/file_1' }],
  ['__proto__', {}],
  ['constructor', {}],
  ['bills.get', { idBill: 1 }],
  [megabyte, {}],
];

/** All bills and runs. */
const stateOf = ({ sandbox }: Stage) =>
  JSON.stringify([sandbox.bills.all(), [...sandbox.documents.runs()]]);

describe('hostile arguments', () => {
  it('are refused call by call with a fixed sentence, and no service is asked', async () => {
    const on = await stage({ limits: { calls: 1000 } });
    await newBill(on);
    const before = stateOf(on);
    const asked = on.sandbox.requests.length;
    const results = await on.send(
      hostile.map(([name, given], id) => ({ id: `${id}`, name, arguments: given })),
    );
    expect(results).toHaveLength(hostile.length);
    for (const { result, error } of results) {
      expect(result).toBeUndefined();
      expect(error).toMatch(/^[A-Z][\w ,.;:-]{5,300}\.$/);
    }
    expect(stateOf(on)).toBe(before);
    // One harmless name of a file, for which the bill is read.
    const requests = on.sandbox.requests.slice(asked).map(({ operation }) => operation);
    expect(requests).toEqual(['bills.get']);
  });

  it.each<[string, object, string]>([
    ['get_bill', {}, 'I still need the bill ID.'],
    ['get_bill', { idBill: 'x' }, 'The bill ID is not right: it must be a whole number.'],
    ['change_bill', { idBill: 1 }, 'I still need to know what to change.'],
    [
      'change_bill',
      { idBill: 1, netAmount: 0 },
      'The net amount is not right: it must be at least 0.01.',
    ],
  ])('are answered with what is missing or wrong: %s %j', async (name, given, line) => {
    expect((await (await stage()).call(name, given)).error).toBe(line);
  });
});

describe('the address of a file', () => {
  /** What the service gets; null if it is not asked. */
  async function sent(fileUrl: unknown, bind = {}): Promise<unknown> {
    let seen: unknown = null;
    const createAndPoll = async ({ file }: { file: { url: unknown } }) => {
      seen = file.url;
      return {};
    };
    const documents = { parseRuns: { createAndPoll } } as never;
    const fileHosts = ['files.example.com', 'other.example:8443'];
    const on = await stage({ documents, allow: ['documents.parse'], bind, fileHosts });
    const { result } = await on.call('parse_document', { fileUrl });
    expect(result === undefined).toBe(seen === null);
    return seen;
  }

  it.each<[unknown, string | null]>([
    ['https://files.example.com/a.pdf?x=1#y', 'https://files.example.com/a.pdf?x=1#y'],
    ['https://FILES.example.com:443', 'https://files.example.com/'],
    ['https://other.example:8443/a.pdf', 'https://other.example:8443/a.pdf'],
    ['https://%66iles.example.com/a', 'https://files.example.com/a'],
    ['https://files\uff0eexample.com/a', 'https://files.example.com/a'],
    ['https://\ufb01les.example.com/a', 'https://files.example.com/a'],
    ['https://files.example.com/b/../a', 'https://files.example.com/a'],
    ['https://files.example.com/b/../a b', null],
    ['https://fi\u00adles.example.com/a', null],
    ['https://files.example.com/a\u0000', null],
    ['https://files.example.com/a%00.pdf', null],
    ['https://files.example.com\\@evil.example/', null],
    ['https://files.example.com/a\tb', null],
    ['https://user@files.example.com/a', null],
    ['https://:pw@files.example.com/a', null],
    ['https://files.example.com:8443/a', null],
    ['https://other.example/a', null],
    ['https://files.example.com./a', null],
    ['https://files.example.com.evil.example/a', null],
    ['https://evil.example/files.example.com', null],
    ['http://files.example.com/a', null],
    ['//files.example.com/a', null],
    [['https://files.example.com/'], null],
  ])('is sent in the form that was checked: %j as %j', async (fileUrl, expected) => {
    expect(await sent(fileUrl)).toBe(expected);
  });
});

describe('a bill', () => {
  /** Every tool that names a bill, with arguments that are right but for the bill. */
  const onBill: readonly (readonly [name: string, more: object])[] = [
    ['get_bill', {}],
    ['delete_bill', {}],
    ['change_bill', { netAmount: 5 }],
    ['set_bill_approvers', {}],
    ['send_bill_to_approval', {}],
    ['decide_on_bill', { approved: true }],
    ['get_bill_file', { filename: 'x.pdf' }],
    ['delete_bill_file', { filename: 'x.pdf' }],
  ];
  const organizations = { shop: 100, other: 100, far: 200 };

  it('of another account is answered like one that does not exist, and not changed', async () => {
    const on = await stage({}, { bills: { organizations } });
    const others = [await newBill(on, {}, 'other'), await newBill(on, {}, 'far')];
    for (const id of others) on.sandbox.bills.attach(id, 'x.pdf', new Uint8Array([1]));
    const before = JSON.stringify(on.sandbox.bills.all());
    const asked = on.sandbox.requests.length;
    const error = 'I could not find that. Please check the number or the name.';
    for (const idBill of [...others, 424_242]) {
      for (const [name, more] of onBill) {
        const result = await on.call(name, { idBill, ...more });
        expect(result, name).toMatchObject({ error });
        expect(result.result).toBeUndefined();
      }
    }
    expect(JSON.stringify(on.sandbox.bills.all())).toBe(before);
    const requests = on.sandbox.requests.slice(asked);
    expect(new Set(requests.map(({ operation }) => operation))).toEqual(new Set(['bills.get']));
    expect(requests).toHaveLength(3 * onBill.length);
  });

  it.each<[string, unknown, string, boolean]>([
    ['the organization', { orgId: 100 }, 'other', true],
    ['the organization', { orgId: 100 }, 'far', false],
    ['both', { entry: 'other', orgId: 200 }, 'other', false],
    ['a function', () => ({ entry: 'other' }), 'other', true],
    ['a function', async () => ({ entry: 'shop' }), 'other', false],
  ])('is compared with the account bound by %s %j: %s, %s', async (_, bind, entry, isOwn) => {
    const on = await stage({}, { bills: { organizations } });
    const idBill = await newBill(on, {}, entry);
    const line = on.another({ bind: bind as never, allow: ['bills.get'] });
    const { result, error } = await line.call('get_bill', { idBill });
    expect(result !== undefined).toBe(isOwn);
    if (!isOwn) expect(error).toMatch(/^I could not find that/);
  });

  it.each([
    () => Promise.reject(new Error('x')),
    () => null,
    () => ({}),
    () => ({ entry: 5 }),
    // A misspelt name would leave to the caller what it was meant to fix.
    () => ({ entry: 'shop', idBil: 1 }),
    () => new Promise<never>(() => {}),
  ])('is not read if the function fails: %s', async (bind) => {
    const options = { bind: bind as never, allow: ['bills.get'], limits: { deadlineMs: 100 } };
    const on = await stage(options);
    const { error } = await on.call('get_bill', { idBill: 1 });
    expect(error).toBe('I cannot do that at the moment. Nothing was changed.');
    expect(on.sandbox.requests).toEqual([]);
  });

  it('of another entry is not in a list of the organization, nor is its amount', async () => {
    const on = await stage({}, { bills: { organizations } });
    await newBill(on, { billNumber: 'OWN-1' });
    for (const entry of ['other', 'far']) await newBill(on, { billNumber: 'OTHER-1' }, entry);
    for (const [bound, own] of [
      [{ entry: 'shop', orgId: 100 }, /Bills 1, amount 1,250.50.*OWN-1/],
      [() => ({ entry: 'shop', orgId: 100 }), /Bills 1, amount 1,250.50.*OWN-1/],
      [{ orgId: 100 }, /Bills 2,.*OTHER-1/],
      [{ entry: 'far', orgId: 100 }, /Bills 0, amount 0/],
    ] as const) {
      const { call } = on.another({ bind: bound as never, allow: ['bills.listByOrg'] });
      expect((await call('list_organization_bills')).result).toMatch(own);
    }
    // An entry of another organization than the bound one has no bills.
    const { call } = on.another({ bind: { entry: 'far', orgId: 100 }, allow: ['bills.list'] });
    expect((await call('list_bills')).result).not.toContain('OTHER-1');
  });

  it('has only the files in its list', async () => {
    const on = await stage();
    const idBill = await newBill(on);
    const filename = on.sandbox.bills.attach(idBill, 'invoice.pdf', new Uint8Array([1, 2]));
    expect((await on.call('get_bill_file', { idBill, filename })).result).toMatch(/File type/);
    const wrong = await on.call('get_bill_file', { idBill, filename: 'invoice2.pdf' });
    expect(wrong.error).toMatch(/^I could not find that/);
    expect(on.asked('bills.getAttachment')).toBe(1);
    expect((await on.call('delete_bill_file', { idBill, filename })).result).toMatch(/Done/);
    expect(on.sandbox.bills.all()[0]?.DocumentsRef.filelist).toEqual([]);
  });
});

describe('a tool of a migrated squad', () => {
  it('takes the value of a variable, which the platform sends as a text', async () => {
    const on = await stage();
    const idBill = await newBill(on);
    await on.bills.sendToApproval(idBill, ['ann@example.com']);
    const bind = { idBill: '{{ bill }}', approved: '{{ yes }}', email: 'ann@example.com' };
    const { call } = on.another({ tools: { decide: { operation: 'bills.setApproved', bind } } });
    const said = await call('decide', { idBill: `${idBill}`, approved: 'true', email: 'x' });
    expect(said.result).toMatch(/Done/);
    expect(on.sandbox.bills.all()[0]?.Status).toBe(20);
    const [empty, wrong] = [
      { idBill: '', approved: 'true' },
      { idBill: '1e3', approved: 'no' },
    ];
    expect((await call('decide', empty)).error).toMatch(/^I still need/);
    expect((await call('decide', wrong)).error).toMatch(/must be a whole/);
  });

  it('is the only name of its operation, so no call can avoid what is bound for it', async () => {
    const on = await stage();
    const [idBill, other] = [await newBill(on), await newBill(on)];
    const look = { operation: 'bills.get', bind: { idBill } };
    for (const tool of [look, 'bills.get']) {
      const { call } = on.another({ tools: { look: tool } });
      expect((await call('get_bill', { idBill: other })).error).toBe('I cannot do that here.');
      expect((await call('look', { idBill })).result).toContain('Bill ID 1,');
      expect((await call('list_bills')).result).toContain('Bills 2,');
    }
    const both = on.another({ tools: { look, get_bill: 'bills.get' } });
    expect((await both.call('get_bill', { idBill: other })).result).toContain('Bill ID 2,');
  });
});

const open = 'That is being processed and may take a little longer. You do not need to ask again.';

describe('at the deadline', () => {
  const limits = { deadlineMs: 400 };

  it('a change in progress is reported as being processed, and a repeat gets its result', async () => {
    const { call, sandbox } = await stage({ limits });
    const bill = { netAmount: 5, billDate: '2026-03-01', vendorNumber: 'V-1' };
    sandbox.faults.next('latency=600', { operation: 'bills.create' });
    const said = async () => (await call('create_bill', bill, 'a')).result;
    expect(await said()).toBe(open);
    await expect.poll(said).toMatch(/Done/);
    expect(sandbox.bills.all()).toHaveLength(1);
  });

  it('reading has failed; if it was for a change, the change is not made', async () => {
    const on = await stage({ limits });
    const idBill = await newBill(on);
    for (const operation of ['bills.list', 'bills.get']) {
      on.sandbox.faults.next('hang', { operation, times: 9 });
    }
    expect((await on.call('list_bills')).error).toMatch(/^I cannot look that up/);
    expect((await on.call('delete_bill', { idBill })).error).toMatch(/^I cannot look that up/);
    expect(on.sandbox.bills.all()).toHaveLength(1);
  });
});

describe('a document', () => {
  const given = { fileUrl: 'https://files.example.com/a.pdf' };
  const told = ({ result }: { readonly result?: string }) => JSON.parse(`${result}`);

  it('that is processed in time is answered with what was found', async () => {
    const on = await stage({}, { documents: { times: { pendingMs: 0, processingMs: 0 } } });
    const config = { classifications: [] };
    const { id: classifierId } = await on.documents.classifiers.create({ name: 'p', config });
    const line = on.another({ bind: { classifierId }, allow: ['documents.classify'] });
    expect(told(await line.call('classify_document', given)).status).toBe('processed');
  });

  it('that takes longer is answered with the id of its run, for asking about its status', async () => {
    const times = { pendingMs: 0, processingMs: 60_000 };
    const onError = vi.fn();
    const on = await stage({ onError, limits: { deadlineMs: 900 } }, { documents: { times } });
    const { runId, say } = told(await on.call('parse_document', given));
    expect([...on.sandbox.documents.runs().keys()]).toEqual([runId]);
    expect(say).toContain(runId);
    expect(told(await on.call('get_parse_status', { id: runId })).status).toBe('processing');
    expect(onError).not.toHaveBeenCalled();
    on.sandbox.faults.next('status=403', { operation: 'parseRuns.get' });
    expect(told(await on.call('parse_document', given)).say).toContain('still being worked on');
    expect(onError).toHaveBeenCalledWith(
      expect.objectContaining({ status: 403 }),
      expect.objectContaining({ tool: 'parse_document' }),
      expect.anything(),
    );
  });

  it('of somebody else has no status', async () => {
    const on = await stage();
    const start = async (metadata?: object) => {
      const body = {
        config: {},
        file: { text: 'of another caller' },
        ...(metadata && { metadata }),
      };
      return (await on.documents.parseRuns.create(body as never)).id;
    };
    const [nobodys, annes] = [await start(), await start({ customer: 'anne' })];
    const bound = { allow: ['documents.parse', 'documents.parseRuns.get'] };
    const anne = on.another({ ...bound, bind: { metadata: { customer: 'anne' } } });
    const bob = on.another({ ...bound, bind: () => ({ metadata: { customer: 'bob' } }) });
    const { runId } = told(await on.call('parse_document', given));
    const hears = async (line: typeof anne, id: string, callId?: string) => {
      const message = [{ id: `${callId}${id}`, name: 'get_parse_status', arguments: { id } }];
      return (await line.send(message, callId))[0]?.result !== undefined;
    };
    expect(await hears(on as never, runId)).toBe(true);
    expect(await hears(on as never, runId, 'call-2')).toBe(false);
    for (const id of [nobodys, annes]) expect(await hears(on as never, id)).toBe(false);
    expect([await hears(anne, annes), await hears(anne, nobodys)]).toEqual([true, false]);
    expect([await hears(bob, annes), await hears(bob, runId)]).toEqual([false, false]);
  });

  it.each(['reset-after', 'hang-after'] as const)(
    'whose run may have started (%s) is reported as uncertain',
    async (fault) => {
      const { call, sandbox } = await stage({ limits: { deadlineMs: 400 } });
      sandbox.faults.next(fault, { operation: 'parseRuns.create' });
      expect((await call('parse_document', given)).result).toMatch(/not certain/);
    },
  );

  it('for a workflow is answered with the id of its run at once', async () => {
    const on = await stage();
    const { id: workflowId } = await on.documents.workflows.create({ name: 'w' });
    const line = on.another({ bind: { workflowId }, allow: ['documents.workflowRuns.create'] });
    const [runId] = [told(await line.call('run_document_workflow', given))];
    expect(runId).toMatchObject({ runId: [...on.sandbox.documents.runs().keys()][0] });
    expect(runId).toMatchObject({ status: 'pending' });
  });
});

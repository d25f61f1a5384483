/** Configurations: what may be called under which name, and what of them cannot be. */
import { describe, expect, it } from 'vitest';
import { createToolHandler } from '../../../src/adapters/tools/handler.js';
import type { Bound } from '../../../src/adapters/tools/options.js';
import { bind, messageOf, newBill, requestOf, resultsOf, secret, stage } from './stage.js';

describe('a handler', () => {
  it('allows nothing unless it is told to', async () => {
    const on = await stage();
    const idBill = await newBill(on);
    const handle = createToolHandler({ bills: on.bills, secret: { value: secret }, bind });
    const call = { id: '1', name: 'get_bill', arguments: { idBill } };
    const [result] = await resultsOf(await handle(requestOf(messageOf([call]))));
    expect(result?.error).toBe('I am not able to do that here.');
  });

  it('refuses at once what cannot be', async () => {
    const { bills, documents } = await stage();
    const good = { bills, documents, secret: { value: secret }, allow: ['bills.get'], bind };
    const list = (own: Bound) => ({ operation: 'bills.list', bind: own });
    const wrong: readonly (readonly [reason: string, options: object])[] = [
      ['secret', { secret: undefined }],
      ['secret', { authorize: () => true }],
      ['secret.value', { secret: {} }],
      ['secret.value', { secret: { value: '' } }],
      ['secret.value', { secret: { value: 'two words' } }],
      ['secret.value', { secret: { value: ['good', ''] } }],
      ['secret.value', { secret: { value: [] } }],
      ['secret.header', { secret: { value: 'x', header: 'a b' } }],
      ['authorize', { secret: undefined, authorize: 'yes' }],
      ['allow: bills.got', { allow: ['bills.got'] }],
      ['allow: constructor', { allow: ['constructor'] }],
      ['allow: bills.get', { bills: undefined }],
      ['allow: documents.parse', { documents: undefined, allow: ['documents.parse'] }],
      ['bind.entry', { bind: {} }],
      ['bind.entry', { bind: { entry: 7 } }],
      ['bind.entry', { bind: { entry: '' } }],
      ['bind.orgId', { bind: { entry: 'shop', orgId: '100' } }],
      ['bind.entry', { bind: { entry: '{{ shop }}' } }],
      ['bind.entri', { bind: { entri: 'shop' } }],
      ['bind.users', { allow: ['bills.setApprovers'], bind: { entry: 'shop' } }],
      ['bind.users', { allow: ['bills.setApprovers'], bind: { entry: 'shop', users: 'ann' } }],
      ['bind.idempotencyKey', { allow: ['bills.create'], bind: { ...bind, idempotencyKey: 'k' } }],
      ['bind.entry', { allow: ['bills.list'], bind: { orgId: 100 } }],
      ['tools.look', { tools: { look: 'bills.look' } }],
      ['tools.look', { tools: { look: null } }],
      ['tools.look.bind.x', { tools: { look: { operation: 'bills.get', bind: { x: 1 } } } }],
      ['tools.look.bind.entry', { tools: { look: list({ entry: '{{ x }}' }) } }],
      ['tools.look.bind.entry', { tools: { look: list({}) }, allow: ['bills.list'], bind: {} }],
      ['tools.look.bind.entry', { tools: { look: list({ entry: 7 }) }, allow: ['bills.list'] }],
      ['fileHosts', { fileHosts: ['https://files.example.com'] }],
      ['fileHosts', { fileHosts: ['Files.example.com'] }],
      ['fileHosts', { fileHosts: ['files.example.com/x'] }],
      ['fileHosts', { fileHosts: [''] }],
      ['say.bills.got', { say: { 'bills.got': [] } }],
      ['say.bills.get', { say: { 'bills.get': [{ name: 'say', at: '/x', as: 'text' }] } }],
      ['say.bills.get', { say: { 'bills.get': [{ name: 'x', at: 'x', as: 'text' }] } }],
      ['say.bills.get', { say: { 'bills.get': [{ name: 'x', at: '/x', as: 'toString' }] } }],
      ['limits.calls', { limits: { calls: 0 } }],
      ['limits.calls', { limits: { calls: '5' } }],
      ['limits.speed', { limits: { speed: 1 } }],
      ['limits.deadlineMs', { limits: { deadlineMs: Number.POSITIVE_INFINITY } }],
    ];
    for (const [reason, options] of wrong) {
      const code = 'api/invalid-option';
      expect(() => createToolHandler({ ...good, ...options } as never), reason).toThrowError(
        expect.objectContaining({ code, reason, operation: 'createToolHandler' }),
      );
    }
    expect(() => createToolHandler(good)).not.toThrow();
    // Bound for the one tool that is there to be called.
    const own = { tools: { look: list({ entry: 'shop' }) }, allow: ['bills.list'], bind: {} };
    expect(() => createToolHandler({ ...good, ...own })).not.toThrow();
  });
});

describe('a tool of a migrated squad', () => {
  it('is called by its own name, with what only it has bound', async () => {
    const on = await stage({ allow: ['bills.get', 'bills.setApproved'] });
    const idBill = await newBill(on);
    await on.bills.sendToApproval(idBill, ['ann@example.com']);
    const handle = on.another({
      tools: {
        lookUpBill: 'bills.get',
        approveBill: { operation: 'bills.setApproved', bind: { approved: true } },
      },
    });
    const results = await resultsOf(
      await handle(
        requestOf(
          messageOf([
            { id: '1', name: 'approveBill', arguments: { idBill, approved: false } },
            { id: '2', name: 'constructor', arguments: { idBill } },
          ]),
        ),
      ),
    );
    expect(results.map(({ error }) => error)).toEqual([undefined, 'I cannot do that here.']);
    const look = { id: '3', name: 'lookUpBill', arguments: { idBill } };
    const [looked] = await resultsOf(await handle(requestOf(messageOf([look]))));
    expect(JSON.parse(`${looked?.result}`).status).toBe('approved');
  });

  it('gets from the platform what a variable says, as a text', async () => {
    const on = await stage();
    const idBill = await newBill(on);
    const filled = { idBill: '{{ bill }}', approved: '{{ yes }}', email: 'ann@example.com' };
    const handle = on.another({
      tools: { decide: { operation: 'bills.setApproved', bind: filled } },
    });
    await on.bills.sendToApproval(idBill, ['ann@example.com']);
    const asking = async (id: string, given: object) => {
      const call = { id, name: 'decide', arguments: given };
      return (await resultsOf(await handle(requestOf(messageOf([call])))))[0];
    };
    const said = await asking('1', { idBill: `${idBill}`, approved: 'true', email: 'x' });
    expect(said?.result).toMatch(/Done/);
    expect(on.sandbox.bills.all()[0]?.Status).toBe(20);
    expect((await asking('2', { idBill: '', approved: 'true' }))?.error).toMatch(/^I still need/);
    expect((await asking('3', { idBill: '1e3', approved: 'no' }))?.error).toMatch(
      /must be a whole/,
    );
  });
});

/** What is answered where the time is not enough: never that a change has failed. */
import { describe, expect, it } from 'vitest';
import { messageOf, newBill, newProcessor, requestOf, resultsOf, stage } from './stage.js';

const limits = { deadlineMs: 400 };
const bill = { netAmount: 5, billDate: '2026-03-01', vendorNumber: 'V-1' };
const open = 'That is being processed and may take a little longer. You do not need to ask again.';
const document = { fileUrl: 'https://files.example.com/a.pdf' };

describe('at the deadline', () => {
  it('a change that is still open is being processed, and a repeat gets its result', async () => {
    const { call, sandbox } = await stage({ limits });
    sandbox.faults.next('latency=800', { operation: 'bills.create' });
    const start = performance.now();
    expect((await call('create_bill', bill, 'a')).result).toBe(open);
    expect(performance.now() - start).toBeLessThan(700);
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect((await call('create_bill', bill, 'a')).result).toMatch(/Done/);
    expect(sandbox.bills.all()).toHaveLength(1);
  });

  it('what only reads is told as not to be had', async () => {
    const { call, sandbox } = await stage({ limits });
    sandbox.faults.next('hang', { operation: 'bills.list', times: 9 });
    expect((await call('list_bills')).error).toMatch(/^I cannot look that up/);
  });

  it('a change whose bill could not be looked at was not made', async () => {
    const on = await stage({ limits });
    const idBill = await newBill(on);
    on.sandbox.faults.next('hang', { operation: 'bills.get', times: 9 });
    expect((await on.call('delete_bill', { idBill })).error).toMatch(/^I cannot look that up/);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(on.sandbox.bills.all()).toHaveLength(1);
  });
});

describe('a document', () => {
  it('that is done in time is told with what was found', async () => {
    const times = { pendingMs: 10, processingMs: 10 };
    const on = await stage({}, { documents: { times } });
    const classifierId = await newProcessor(on, 'classifiers');
    const call = { id: '1', name: 'classify_document', arguments: document };
    const handle = on.another({ bind: { classifierId }, allow: ['documents.classify'] });
    const [told] = await resultsOf(await handle(requestOf(messageOf([call]))));
    expect(JSON.parse(`${told?.result}`)).toMatchObject({ status: 'processed' });
  });

  it('that takes longer is told by the id of its run, and asked for by it', async () => {
    const times = { pendingMs: 10, processingMs: 2500 };
    const on = await stage({ limits: { deadlineMs: 2000 } }, { documents: { times } });
    const told = JSON.parse(`${(await on.call('parse_document', document)).result}`);
    expect([...on.sandbox.documents.runs().keys()]).toEqual([told.runId]);
    expect(told.say).toContain(told.runId);
    const status = await on.call('get_parse_status', { id: told.runId });
    expect(JSON.parse(`${status.result}`)).toMatchObject({ status: 'processing' });
    expect(on.sandbox.documents.runs().size).toBe(1);
  });

  it('whose run may have been started is being processed', async () => {
    const { call, sandbox } = await stage({ limits });
    sandbox.faults.next('reset-after', { operation: 'parseRuns.create' });
    const parse = await call('parse_document', document);
    expect(parse.result).toBe(open);
    sandbox.faults.next('hang-after', { operation: 'parseRuns.create' });
    expect((await call('parse_document', document)).result).toBe(open);
  });

  it('for a workflow is told by its run, which nobody waits for', async () => {
    const on = await stage();
    const { id: workflowId } = await on.documents.workflows.create({ name: 'w' });
    const call = { id: '1', name: 'run_document_workflow', arguments: document };
    const handle = on.another({ bind: { workflowId }, allow: ['documents.workflowRuns.create'] });
    const [told] = await resultsOf(await handle(requestOf(messageOf([call]))));
    const [runId] = on.sandbox.documents.runs().keys();
    expect(JSON.parse(`${told?.result}`)).toMatchObject({ runId, status: 'pending' });
    expect(told?.result).not.toContain('Done');
  });

  it('that could not be processed is told so', async () => {
    const on = await stage({}, { documents: { times: { pendingMs: 1, processingMs: 1 } } });
    on.sandbox.documents.outcomes.next('FAILED=FAILED_TO_PROCESS_FILE', { kind: 'parse' });
    const told = await on.call('parse_document', document);
    expect(JSON.parse(`${told.result}`)).toMatchObject({
      status: 'failed',
      failure: 'failed to process file',
    });
  });
});

/** Types follow the wire, and what cannot be does not compile. */
import { describe, expectTypeOf, it } from 'vitest';
import {
  type createDocumentsClient,
  type DocumentsClient,
  type DocumentsClientOptions,
  type ExtractRun,
  isRetryable,
  type StoredFile,
  type WorkflowRun,
  type WorkflowRunRequest,
} from '../../../src/documents.js';

const key = { apiKey: 'k' };
type Client = DocumentsClient;

describe('the client', () => {
  it('takes bodies of workflow runs in the form of its wire', () => {
    type Body<C extends DocumentsClient<'spec'> | DocumentsClient<'current'>> = Parameters<
      C['workflowRuns']['create']
    >[0];
    expectTypeOf<Body<DocumentsClient>>().toEqualTypeOf<WorkflowRunRequest>();
    expectTypeOf<Body<DocumentsClient<'current'>>>().toEqualTypeOf<WorkflowRunRequest<'current'>>();
    expectTypeOf<ReturnType<typeof createDocumentsClient<'current'>>>().toEqualTypeOf<
      DocumentsClient<'current'>
    >();
  });

  it('is at one address or in a region', () => {
    const baseUrls = { us1: 'https://a.example', us2: 'https://b.example' };
    const right: DocumentsClientOptions[] = [
      { ...key, baseUrl: 'https://a.example' },
      { ...key, baseUrls },
      { ...key, baseUrls, region: 'us2', apiVersion: '2025-04-21' },
    ];
    expectTypeOf(right).toEqualTypeOf<DocumentsClientOptions[]>();
    // @ts-expect-error no address
    const nowhere: DocumentsClientOptions = { ...key };
    // @ts-expect-error an address has no region
    const both: DocumentsClientOptions = { ...key, baseUrl: 'https://a.example', region: 'us2' };
    // @ts-expect-error no such version
    const later: DocumentsClientOptions = { ...key, baseUrls, apiVersion: '2027-01-01' };
    expectTypeOf([nowhere, both, later]).toEqualTypeOf<DocumentsClientOptions[]>();
  });

  it('takes a stored processor or a configuration', () => {
    type Body = Parameters<Client['extract']>[0];
    const file = { url: 'https://example.com/a.pdf' };
    const right: Body[] = [
      { file, extractor: { id: 'ex_1', version: 'draft' } },
      { file: { text: 'x' }, config: { schema: {} } },
      { file: { id: 'f' }, config: { fields: [{ id: 'a', name: 'a', type: 'string' }] } },
    ];
    // @ts-expect-error neither
    const neither: Body = { file };
    // @ts-expect-error both
    const both: Body = { file, extractor: { id: 'ex_1' }, config: {} };
    // @ts-expect-error the processor of another verb
    const other: Body = { file, classifier: { id: 'cl_1' } };
    expectTypeOf([...right, neither, both, other]).toEqualTypeOf<Body[]>();
  });

  it('answers with what was asked for', () => {
    expectTypeOf<ReturnType<Client['extractRuns']['poll']>>().resolves.toEqualTypeOf<ExtractRun>();
    expectTypeOf<ReturnType<Client['files']['get']>>().resolves.toEqualTypeOf<StoredFile>();
    expectTypeOf<ReturnType<Client['workflowRuns']['iterate']>>().toEqualTypeOf<
      AsyncGenerator<WorkflowRun, void, undefined>
    >();
    expectTypeOf<ReturnType<Client['workflowRuns']['cancel']>>().resolves.toEqualTypeOf<
      WorkflowRun | undefined
    >();
  });

  it('knows the reasons of a failure, and takes others', () => {
    expectTypeOf<'INVALID_WORKFLOW'>().toExtend<NonNullable<WorkflowRun['failureReason']>>();
    expectTypeOf<string>().toExtend<NonNullable<WorkflowRun['failureReason']>>();
    expectTypeOf(isRetryable).parameter(0).toExtend<{ readonly status: string }>();
    expectTypeOf<WorkflowRun>().toExtend<Parameters<typeof isRetryable>[0]>();
    expectTypeOf<ExtractRun>().toExtend<Parameters<typeof isRetryable>[0]>();
  });
});

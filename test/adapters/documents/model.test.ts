/**
 * The client and the sandbox together against a plain model: whatever is called in whatever order,
 * while a fifth of all requests meets a fault, files and runs are those that the model says.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/adapters/sandbox/sandbox.js';
import { createDocumentsClient } from '../../../src/documents.js';
import { runs, seed } from '../../seed.js';
import { filesIn, type Model, statusOf, times } from './model.js';
import {
  cancelRun,
  createRun,
  deleteFile,
  deleteRun,
  getFile,
  getRun,
  listFiles,
  listRuns,
  order,
  pollRun,
  upload,
  useGone,
  wait,
} from './model-steps.js';

const index = fc.nat(1000);
const size = fc.integer({ min: 1, max: 3 });
const direction = fc.constantFrom('asc' as const, 'desc' as const);
const status = fc.constantFrom('PENDING', 'PROCESSING', 'PROCESSED', 'FAILED', 'CANCELLED');

const steps = fc.commands(
  [
    fc.constantFrom('a.txt', 'b.txt', 'ä "b".txt').map(upload),
    index.map(createRun),
    index.map(createRun),
    index.map(getFile),
    index.map(getRun),
    index.map(pollRun),
    index.map(pollRun),
    index.map(cancelRun),
    index.map(cancelRun),
    index.map(deleteFile),
    index.map(deleteRun),
    index.map(useGone),
    fc.tuple(size, direction, fc.constantFrom('', 'b')).map((each) => listFiles(...each)),
    fc.tuple(size, direction, status).map((each) => listRuns(...each)),
    fc
      .constantFrom('FAILED=INTERNAL_ERROR' as const, 'FAILED=INVALID_WORKFLOW' as const)
      .map(order),
    fc.constantFrom(99, 100, 200, 500).map(wait),
  ],
  { maxCommands: 50, size: 'max' },
);

it('client and sandbox do what the model says, through faults', async () => {
  const taken = new Set<string>();
  const property = fc.asyncProperty(steps, fc.nat(1_000_000), async (commands, chance) => {
    const sandbox = await createSandbox({
      clock: { mode: 'manual' },
      seed: chance,
      documents: { times },
      faults: {
        share: 0.2,
        faults: ['reset', 'reset-after', 'status=503', 'status-after=500', 'rate-limit=0'],
      },
    });
    const client = createDocumentsClient({
      baseUrl: sandbox.documentsUrl,
      apiKey: 'sandbox-key',
      retry: { maxAttempts: 12, baseMs: 1, capMs: 2 },
    });
    const model: Model = { files: new Map(), runs: new Map(), gone: [], orders: [], now: 0 };
    try {
      await fc.asyncModelRun(() => ({ model, real: { sandbox, client, taken } }), commands);
      expect([...(await filesIn(sandbox))]).toEqual([...model.files]);
      expect([...sandbox.documents.runs()]).toEqual(
        [...model.runs].map(([id, run]) => [id, statusOf(run, model.now)]),
      );
    } finally {
      await client.close();
      await sandbox.close();
    }
  });
  await fc.assert(property, { seed, numRuns: runs(40) });
  expect([...taken].sort()).toEqual([
    'extractRuns.cancel',
    'extractRuns.create',
    'extractRuns.delete',
    'extractRuns.get',
    'extractRuns.iterate',
    'extractRuns.poll',
    'files.delete',
    'files.get',
    'files.iterate',
    'files.upload',
    'next run',
    'use what is gone',
    'wait',
  ]);
});

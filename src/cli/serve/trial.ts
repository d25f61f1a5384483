/**
 * The sandbox behind `squadc serve --sandbox`: services for a trial, with something in them.
 *
 * In: the configuration, if there is one. Out: clients of a sandbox in this process, and a
 * configuration in which everything is bound that tools need and that is not bound yet.
 */
import { toolDefinitions } from '../../adapters/tools/table.js';
import { createBillsClient } from '../../bills.js';
import { createDocumentsClient, type DocumentsClient } from '../../documents.js';
import type { ServeConfig } from './config.js';
import type { Stage } from './prepare.js';

export async function startTrial(given: ServeConfig): Promise<Stage> {
  const { createSandbox } = await import('../../adapters/sandbox/sandbox.js');
  // Nobody looks at the requests here.
  const sandbox = await createSandbox();
  const apiKey = 'sandbox-key';
  const bills = createBillsClient({ baseUrl: sandbox.billsUrl, auth: { apiKey } });
  const documents = createDocumentsClient({ baseUrl: sandbox.documentsUrl, apiKey });
  const bind = { ...(await standIns(documents)), ...given.bind };
  // Every account that is bound somewhere gets a bill; one that the platform fills in is not known.
  const own = Object.values(given.tools ?? {}).map(
    (tool) => typeof tool !== 'string' && tool.bind?.['entry'],
  );
  const entries = new Set([bind.entry, ...own].map(String));
  const ids: number[] = [];
  for (const entry of entries) {
    if (!/^[\w-]{1,100}$/.test(entry)) continue;
    const { responseData } = await bills.create(entry, {
      billNumber: 'TRIAL-1',
      billDate: '2026-01-31',
      dueDate: '2026-02-28',
      netAmount: 125.5,
      vendor: { vendorNumber: 'V-1' },
    });
    ids.push(Number(responseData));
  }
  return {
    config: {
      ...given,
      allow: given.allow ?? Object.keys(toolDefinitions),
      fileHosts: given.fileHosts ?? ['files.example.com'],
      bind,
    },
    bills,
    documents,
    idBill: ids[0],
    end: () => sandbox.close(),
  };
}

/** Values for what no caller decides. */
async function standIns({ extractors, classifiers, splitters, workflows }: DocumentsClient) {
  const named = { name: 'trial' };
  const schema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  const [extractor, classifier, splitter, workflow] = await Promise.all([
    extractors.create({ ...named, config: { schema } }),
    classifiers.create({ ...named, config: { classifications: [] } }),
    splitters.create({ ...named, config: { splitClassifications: [] } }),
    workflows.create(named),
  ]);
  return {
    entry: 'shop',
    orgId: 100,
    users: ['approver@example.com'],
    extractorId: extractor.id,
    classifierId: classifier.id,
    splitterId: splitter.id,
    workflowId: workflow.id,
  };
}

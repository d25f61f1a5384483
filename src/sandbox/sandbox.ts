/**
 * The sandbox: both services, with state, on one local server, for tests and trials.
 *
 * It keeps everything in memory, listens only on loopback, sends nothing except webhooks to
 * loopback addresses, and forgets everything when it closes. If the specification is silent, it
 * does something plausible, explained in the file concerned. Its credentials are not secret.
 *
 *     const sandbox = await createSandbox({ clock: { mode: 'manual' } });
 *     sandbox.faults.next('reset-after', { operation: 'bills.create' });
 *     await fetch(`${sandbox.billsUrl}/Bill/single/shop`, …);
 *     sandbox.clock.advance(120_000);
 *     await sandbox.close();
 */
import { type BillsOptions, type BillsState, createBillsApi } from './bills.js';
import { type ClockOptions, createClock, type SandboxClock } from './clock.js';
import { createDocumentsApi, type DocumentsOptions, type DocumentsState } from './documents.js';
import { type ChanceOfFaults, createFaults, type FaultSwitches } from './fault.js';
import { type RequestRecord, startServer } from './server.js';

/** Options of the sandbox; all have a default. */
export interface SandboxOptions {
  /** Default: any free port. */
  readonly port?: number;
  readonly clock?: ClockOptions;
  /** Determines the random faults: the same seed gives the same ones. */
  readonly seed?: number;
  readonly faults?: ChanceOfFaults;
  readonly bills?: BillsOptions;
  readonly documents?: DocumentsOptions;
}

/** A local server for both services; tests can see its state and set its clock and faults. */
export interface Sandbox {
  readonly url: string;
  /** Base address of the bills API; ends with `/api`. */
  readonly billsUrl: string;
  /** Base address of the documents API. */
  readonly documentsUrl: string;
  readonly bills: BillsState;
  readonly documents: DocumentsState;
  readonly clock: SandboxClock;
  readonly faults: FaultSwitches;
  /** The latest 100,000 requests, and what happened to each. */
  readonly requests: readonly RequestRecord[];
  /** Stops the server and closes all connections. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox on the loopback interface. Rejects if the given port is taken. In tests, call
 * `close()`, otherwise the process does not end.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = 1, port = 0 } = options;
  const clock = createClock(options.clock);
  const faults = createFaults(seed, options.faults);
  let url = '';
  const bills = createBillsApi(options.bills ?? {}, clock);
  const documents = createDocumentsApi(options.documents ?? {}, clock, () => url);
  const server = await startServer([bills.api, documents.api], faults, port);
  url = server.url;
  return {
    url,
    billsUrl: `${url}/api`,
    documentsUrl: `${url}/documents`,
    bills: bills.state,
    documents: documents.state,
    clock,
    faults,
    requests: server.requests,
    async close() {
      documents.stop();
      await server.close();
    },
  };
}

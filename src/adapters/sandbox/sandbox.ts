/**
 * The sandbox: both services on one server of this machine, with state, for tests and trials.
 *
 * It keeps everything in memory, listens on loopback alone, sends nothing anywhere but webhooks to
 * loopback addresses, and forgets everything at its end. Where the specification is silent, it does
 * one plausible thing, said in the file that does it. Its credentials are not secret.
 *
 *     const sandbox = await createSandbox({ clock: { mode: 'manual' } });
 *     sandbox.faults.next('reset-after', { operation: 'bills.create' });
 *     await fetch(`${sandbox.billsUrl}/Bill/single/shop`, …);
 *     sandbox.clock.advance(120_000);
 *     await sandbox.close();
 */
import { type BillsOptions, type BillsState, createBillsApi } from './bills.js';
import { Clock, type ClockOptions, type SandboxClock } from './clock.js';
import { createDocumentsApi, type DocumentsOptions, type DocumentsState } from './documents.js';
import { type ChanceOfFaults, type FaultSwitches, Faults } from './fault.js';
import { type RequestRecord, startServer } from './server.js';

export interface SandboxOptions {
  /** A free port is taken if it is not said. */
  readonly port?: number;
  readonly clock?: ClockOptions;
  /** Where ids, tokens and faults by chance come from; the same seed gives the same ones. */
  readonly seed?: number;
  readonly faults?: ChanceOfFaults;
  readonly bills?: BillsOptions;
  readonly documents?: DocumentsOptions;
}

/**
 * A server on this machine that stands for both services, with its state, clock and faults laid
 * open.
 */
export interface Sandbox {
  readonly url: string;
  /** Base address of the bills; it ends with `/api`. */
  readonly billsUrl: string;
  /** Base address of the documents. */
  readonly documentsUrl: string;
  readonly bills: BillsState;
  readonly documents: DocumentsState;
  readonly clock: SandboxClock;
  readonly faults: FaultSwitches;
  /** The latest requests (100,000) and what became of each. */
  readonly requests: readonly RequestRecord[];
  /** Ends it, with every connection. */
  close(): Promise<void>;
}

/**
 * Starts a sandbox on the loopback interface, on a free port unless one is given; rejects where that
 * is taken. For tests: `close()` it, or the process does not end.
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { seed = 1, port = 0 } = options;
  const clock = new Clock(options.clock);
  const faults = new Faults(seed, options.faults ?? null);
  let url = '';
  const bills = createBillsApi(options.bills ?? {}, clock, seed);
  const documents = createDocumentsApi(options.documents ?? {}, clock, seed, () => url);
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

/**
 * Carries out a call that was found right: once, and with an answer whatever happens.
 *
 * In: a tool, its values, whose bills it may touch, until when to wait. Out: what became of it.
 * A caller names bills by numbers, and numbers can be guessed; the credential opens all bills of its
 * owner. So a bill that is named is read first, and one of another account is told from none at all by
 * nothing that is said. A document is given to a run, of which the id is told where it is not done in
 * time. Nothing is thrown. How a service is reached is its client's business alone.
 */
import type { BillRecord, BillsClient, GetBillResponse } from '../../../bills.js';
import { billsOperations } from '../../bills/operations.js';
import { documentOperations } from '../../documents/operations.js';
import type { Operation } from '../../http/operation.js';
import type { CallOptions } from '../../http/request.js';
import { callArguments, type ToolValues } from '../table/call-arguments.js';
import { maySay } from '../table/may-say.js';
import type { ToolDefinition } from '../table/tool.js';
import { type Account, namesBill, type Tool } from './board.js';
import type { ToolHandlerOptions } from './options.js';
import type { Say } from './say.js';
import { type CallResult, factsOf, failureOf, texts } from './texts.js';

export type Services = Pick<ToolHandlerOptions, 'bills' | 'documents'>;

type Method = (...given: unknown[]) => Promise<unknown>;
type Group = Readonly<Record<string, unknown>>;

const operations: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ...Object.values(billsOperations).map((each) => [each.id, each] as const),
  ...documentOperations.map((each) => [`documents.${each.id}`, each] as const),
]);

export function hasService(services: Services, { operation }: ToolDefinition): boolean {
  return (operation.startsWith('bills.') ? services.bills : services.documents) !== undefined;
}

/** Whether the operation holds the connection until a document is done: it is started as a run. */
function takesLong({ operation }: ToolDefinition): boolean {
  return operations.get(operation)?.time === 'processing';
}

function callService(
  services: Services,
  definition: ToolDefinition,
  values: ToolValues,
  options: CallOptions = {},
): Promise<unknown> {
  const { operation, path } = definition;
  const { query, key, body } = operations.get(operation) ?? {};
  const given = callArguments(definition, values);
  const places = (path.match(/\{/g)?.length ?? 0) + (body ? 1 : 0) + (query || key ? 1 : 0);
  while (given.length < places) given.push({});
  return methodOf(services, operation)(...given, options);
}

/** Starts a run and waits for it, as long as the options say. */
function runOnService(
  services: Services,
  definition: ToolDefinition,
  values: ToolValues,
  options: CallOptions,
): Promise<unknown> {
  const [body] = callArguments(definition, values);
  return methodOf(services, `${definition.operation}Runs.createAndPoll`)(body, options);
}

/** Names come from the table of operations alone. */
function methodOf(services: Services, operation: string): Method {
  const found = operation
    .split('.')
    .reduce<unknown>((group, name) => (group as Group)[name], services);
  return found as Method;
}

/** The answer with the bill; null where the account has none of this number. */
async function ownBill(
  bills: BillsClient,
  idBill: number,
  account: Account,
  options: CallOptions,
): Promise<GetBillResponse | null> {
  try {
    const answer = await bills.get(idBill, options);
    return isOf(answer.responseData ?? {}, account) ? answer : null;
  } catch (error) {
    // The service has no status of its own for a bill that is not there.
    if (/^(?:400|404|410)$/.test(`${factsOf(error).status}`)) return null;
    throw error;
  }
}

/** What is bound of both must be so; a bill that does not tell is not this account's. */
function isOf(bill: BillRecord, { entry, orgId }: Account): boolean {
  if (entry === undefined && orgId === undefined) return false;
  const ofEntry = entry === undefined || bill.PaypointEntryname === entry;
  return ofEntry && (orgId === undefined || bill.ParentOrgId === orgId);
}

/** Whether the bill lists a file of this name: nothing else is asked for. */
function hasFile({ responseData }: GetBillResponse, filename: unknown): boolean {
  const files = responseData?.DocumentsRef?.filelist ?? [];
  return files.some(({ zipName }) => zipName === filename);
}

export interface Job {
  readonly tool: Tool;
  readonly values: Readonly<Record<string, unknown>>;
  readonly account: Account;
  /** How the answer is said. */
  readonly say: Say;
  /** Repeats of the call have the same; null where nothing tells what a repeat would be. */
  readonly key: string | null;
  /** Told of what was thrown. */
  readonly failed: (error: unknown) => void;
  /** Milliseconds within which what only looks has to be done; a change takes its time. */
  readonly leftMs: number;
}

export async function carryOut(job: Job, services: Services): Promise<CallResult> {
  const { bills } = services;
  if (!bills || !namesBill(job.tool)) return act(job, services);
  const { values, account, leftMs, failed } = job;
  try {
    const bill = await ownBill(bills, Number(values['idBill']), account, { deadlineMs: leftMs });
    if (!bill || ('filename' in values && !hasFile(bill, values['filename']))) {
      return texts.notFound;
    }
    if (job.tool.definition.operation === 'bills.get') return tell(bill, job);
  } catch (error) {
    failed(error);
    // Nothing was asked for but to look.
    return failureOf(error, 'reads');
  }
  return act(job, services);
}

async function act(job: Job, services: Services): Promise<CallResult> {
  const { definition } = job.tool;
  const inTime = { deadlineMs: job.leftMs };
  try {
    const values = withKey(job);
    if (takesLong(definition)) {
      return tell(await runOnService(services, definition, values, inTime), job);
    }
    // A change that has begun is not given up: what became of it would not be known.
    const options = definition.effect === 'reads' ? inTime : {};
    return tell(await callService(services, definition, values, options), job);
  } catch (error) {
    const { runId } = factsOf(error);
    if (maySay('identifier', runId)) return stillRunning(`${runId}`);
    job.failed(error);
    return failureOf(error, definition.effect);
  }
}

function withKey({ tool, values, key }: Job): Job['values'] {
  const keyed = tool.definition.parameters.some(({ name }) => name === 'idempotencyKey');
  return keyed && key !== null ? { ...values, idempotencyKey: key } : values;
}

function tell(answer: unknown, { say }: Job): CallResult {
  return { code: 'done', line: say(answer) };
}

function stillRunning(runId: string): CallResult {
  const say = `That is still being worked on. The ID of the run is ${runId}; ask for its status later.`;
  return { code: 'started', line: JSON.stringify({ say, runId }) };
}

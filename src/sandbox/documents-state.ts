/**
 * The state of the documents service: resources of every kind and their lists, what can be
 * downloaded, and runs, which proceed by the clock.
 */
import type { RunStatus } from '../clients/documents/types.js';
import type { OpenObject } from '../text/json.js';
import { type Call, type Content, Refused } from './call.js';
import type { Clock } from './clock.js';

/** By group of operations: a resource's `object`, the prefix of its id, and the field with its owner. */
const kinds = {
  files: ['file', 'file_'],
  extractors: ['extractor', 'ex_'],
  'extractors.versions': ['extractor_version', 'exv_', 'extractorId'],
  classifiers: ['classifier', 'cl_'],
  'classifiers.versions': ['classifier_version', 'clv_', 'classifierId'],
  splitters: ['splitter', 'sp_'],
  'splitters.versions': ['splitter_version', 'spv_', 'splitterId'],
  extractRuns: ['extract_run', 'exr_'],
  classifyRuns: ['classify_run', 'clr_'],
  splitRuns: ['split_run', 'spr_'],
  parseRuns: ['parse_run', 'pr_'],
  editRuns: ['edit_run', 'edr_'],
  workflows: ['workflow', 'workflow_'],
  workflowRuns: ['workflow_run', 'workflow_run_'],
  evaluationSets: ['evaluation_set', 'ev_'],
  'evaluationSets.items': ['evaluation_set_item', 'evi_', 'evaluationSetId'],
  'evaluationSets.runs': ['evaluation_set_run', 'evr_', 'evaluationSetId'],
} as const satisfies Readonly<
  Record<string, readonly [object: string, id: string, owner?: string]>
>;

export type Kind = keyof typeof kinds;

/** A resource as it appears in answers. */
export interface Resource extends OpenObject {
  readonly object: string;
  readonly id: string;
}

const paging = /^(?:sortBy|sortDir|nextPageToken|maxPageSize)$/;

export class Store {
  readonly #resources = new Map<string, Resource>();
  readonly #contents = new Map<string, Content>();
  #ids = 0;

  constructor(
    readonly clock: Clock,
    /** The address of the server; known once it listens. */
    readonly origin: () => string,
  ) {}

  /** Ids are unique and sort by time. */
  newId(prefix: string): string {
    this.#ids += 1;
    return `${prefix}${`${this.#ids}`.padStart(12, '0')}`;
  }

  add(kind: Kind, fields: OpenObject): Resource {
    const [object, prefix] = kinds[kind];
    const at = this.clock.timestamp();
    const added = { ...fields, object, id: this.newId(prefix), createdAt: at, updatedAt: at };
    this.#resources.set(added.id, added);
    return added;
  }

  /** Stores a file with its content. */
  addFile(file: Content): Resource {
    const { name, type, content } = file;
    const metadata = { pageCount: 1, sizeBytes: content.byteLength };
    const { id } = this.add('files', { name, type, contents: null, metadata });
    return this.change(id, { presignedUrl: this.publish(id, file) });
  }

  /** Everything of a kind, or what belongs to an owner, oldest first. */
  all(kind: Kind, owner?: string): readonly Resource[] {
    return [...this.#resources.values()].filter((each) => isOf(each, kind, owner));
  }

  find(kind: Kind, id = '', owner?: string): Resource {
    const found = this.#resources.get(id);
    if (found !== undefined && isOf(found, kind, owner)) return found;
    throw new Refused(404, `There is no ${kinds[kind][0].replaceAll('_', ' ')} with this id`);
  }

  /** Undefined if it was deleted. */
  statusOf(id: string): unknown {
    return this.#resources.get(id)?.['status'];
  }

  /** Changes what is there. */
  change(id: string, change: OpenObject): Resource {
    const { object, createdAt, ...before } = this.#resources.get(id) as Resource;
    const updatedAt = this.clock.timestamp();
    const changed = { ...before, ...change, object, id, createdAt, updatedAt };
    this.#resources.set(id, changed);
    return changed;
  }

  delete(id: string): { readonly id: string } {
    this.#resources.delete(id);
    this.#contents.delete(id);
    return { id };
  }

  /**
   * One page of the owner's resources that match the operation's query parameters, newest first by
   * default: `status` must be equal, `nameContains` part of the name. A page token names the position to
   * continue after, so no entry is repeated or missed if others come or go in the meantime.
   */
  page(kind: Kind, call: Call, owner?: string): object {
    const { operation, query } = call;
    const names = operation.query?.filter((name) => query.has(name) && !paging.test(name)) ?? [];
    const isWanted = (each: Resource) =>
      names.every((name) => {
        const sent = query.get(name) ?? '';
        const value = `${each[name.replace(/Contains$/, '')]}`;
        return name.endsWith('Contains') ? value.includes(sent) : value === sent;
      });
    const size = call.integer('maxPageSize', 10);
    if (size < 1 || size > 1000) throw new Refused(400, 'maxPageSize must be from 1 to 1000');
    const time = call.oneOf('sortBy', ['createdAt', 'updatedAt']);
    const isUp = call.oneOf('sortDir', ['desc', 'asc']) === 'asc';
    // Ids of a kind sort by time, too, so they order equal times.
    const placeOf = (each: Resource) => `${each[time]} ${each.id}`;
    const follows = (a: string, b: string) => (isUp ? a > b : a < b);
    const start = Buffer.from(query.get('nextPageToken') ?? '', 'base64url').toString();
    const rest = this.all(kind, owner)
      .filter((each) => isWanted(each) && (start === '' || follows(placeOf(each), start)))
      .sort((a, b) => (follows(placeOf(a), placeOf(b)) ? 1 : -1));
    const data = rest.slice(0, size);
    const last = rest.length > size ? data.at(-1) : undefined;
    const nextPageToken = last && Buffer.from(placeOf(last)).toString('base64url');
    return { object: 'list', data, nextPageToken };
  }

  content(id: string): Content {
    const found = this.#contents.get(id);
    if (found === undefined) throw new Refused(404, 'It was deleted');
    return found;
  }

  /** Stores a download, and returns its address, which needs no key. */
  publish(id: string, content: Content): string {
    this.#contents.set(id, content);
    return `${this.origin()}/documents/downloads/${id}`;
  }
}

function isOf(resource: Resource, kind: Kind, owner: string | undefined): boolean {
  const [object, , field = '']: readonly [string, string, string?] = kinds[kind];
  return resource.object === object && (owner === undefined || resource[field] === owner);
}

/** What runs do with a document; `workflow` runs do several things. */
export const runVerbs = ['extract', 'classify', 'split', 'parse', 'edit', 'workflow'] as const;
export type RunVerb = (typeof runVerbs)[number];

export interface RunTimes {
  /** From the request to PROCESSING, in milliseconds. */
  readonly pendingMs: number;
  /** From PROCESSING to the end, in milliseconds. */
  readonly processingMs: number;
  /** From the cancel request to CANCELLED, in milliseconds; 0 skips CANCELLING. */
  readonly cancellingMs: number;
}

export type OutcomeText = 'PROCESSED' | 'FAILED' | `FAILED=${string}` | 'NEEDS_REVIEW' | 'REJECTED';

export interface OutcomeSwitches {
  /** Orders the outcome of the next run. */
  next(outcome: OutcomeText): void;
}

const outcomeForm = /^(?:PROCESSED|NEEDS_REVIEW|REJECTED|FAILED(?:=[A-Z_]{1,60})?)$/;

export interface RunRequest {
  /** The members of its answers until it ends. */
  readonly details: OpenObject;
  readonly outcome: string;
  /** What a run that succeeds puts in their place. */
  readonly makeResult: () => OpenObject;
}

/**
 * Runs: they start, proceed by the clock, and end; until then, they can be cancelled.
 *
 *     PENDING → PROCESSING → PROCESSED | FAILED | NEEDS_REVIEW | REJECTED
 *     PENDING, PROCESSING → (CANCELLING →) CANCELLED
 *
 * A run ends as PROCESSED unless the header `x-sandbox-outcome` of its request says otherwise, or a
 * test has ordered an outcome: FAILED (reason INTERNAL_ERROR), FAILED=INVALID_WORKFLOW (that
 * reason) or, only for runs of workflows, NEEDS_REVIEW or REJECTED.
 */
export class Runs implements OutcomeSwitches {
  readonly #orders: string[] = [];

  constructor(
    readonly store: Store,
    readonly times: RunTimes,
    readonly emit: (eventType: string, run: Resource) => void,
  ) {}

  next(outcome: OutcomeText): void {
    if (!outcomeForm.test(outcome)) throw new RangeError(`unknown outcome '${outcome}'`);
    this.#orders.push(outcome);
  }

  /** The outcome of the run that a call starts. */
  outcomeOf(verb: RunVerb, { arrived }: Call): string {
    const asked = arrived.headers.get('x-sandbox-outcome');
    const outcome = asked ?? this.#orders.shift() ?? 'PROCESSED';
    const isReviewed = /^(?:NEEDS_REVIEW|REJECTED)$/.test(outcome);
    if (outcomeForm.test(outcome) && (!isReviewed || verb === 'workflow')) return outcome;
    throw new Refused(400, 'x-sandbox-outcome names an unknown outcome');
  }

  statuses(): ReadonlyMap<string, RunStatus> {
    const runs = runVerbs.flatMap((verb) => this.store.all(`${verb}Runs`));
    return new Map(runs.map(({ id, status }) => [id, status as RunStatus]));
  }

  /** Starts a run that proceeds by the clock or, if `isAtOnce`, ends at once. */
  start(verb: RunVerb, request: RunRequest, isAtOnce = false): Resource {
    const { pendingMs, processingMs } = this.times;
    const fields = { failureReason: null, failureMessage: null, ...request.details };
    const { id } = this.store.add(`${verb}Runs`, fields);
    const end = () => this.#end(id, request);
    if (isAtOnce) return end();
    return this.#pass(id, 'PENDING', pendingMs, () => {
      this.#pass(id, 'PROCESSING', processingMs, end);
    });
  }

  cancel({ id, status }: Resource): Resource {
    if (!/^(?:PENDING|PROCESSING|CANCELLING)$/.test(`${status}`)) {
      throw new Refused(400, `The run has ended (${status})`);
    }
    const end = () => this.store.change(id, { status: 'CANCELLED' });
    const { cancellingMs } = this.times;
    return cancellingMs === 0 ? end() : this.#pass(id, 'CANCELLING', cancellingMs, end);
  }

  /** Gives a run a status for a while, and then takes the next step, unless it has another or is gone. */
  #pass(id: string, status: string, ms: number, next: () => void): Resource {
    this.store.clock.after(ms, () => {
      if (this.store.statusOf(id) === status) next();
    });
    return this.store.change(id, { status });
  }

  /** Ends a run, and sends the event, if there is one for its status. */
  #end(id: string, { outcome, makeResult }: RunRequest): Resource {
    const [status = '', failureReason = 'INTERNAL_ERROR'] = outcome.split('=');
    const failure = { failureReason, failureMessage: 'The sandbox was told to fail' };
    const run = this.store.change(id, {
      status,
      ...(status === 'FAILED' ? failure : makeResult()),
    });
    const processed = run.object === 'workflow_run' ? 'completed' : 'processed';
    const events = { PROCESSED: processed, FAILED: 'failed', NEEDS_REVIEW: 'needs_review' };
    const event = events[status as keyof typeof events];
    if (event) this.emit(`${run.object}.${event}`, run);
    return run;
  }
}

/**
 * The documents API: what each operation does, and who may call.
 *
 * An operation's id consists of a kind of resource and an action, such as `extractors.versions` and
 * `get`. Most actions are the same for every kind; a second table lists the exceptions.
 */
import {
  apiVersions,
  currentForms,
  documentOperations,
  vendorHeaderPrefix,
} from '../clients/documents/operations.js';
import { documentsValidators } from '../clients/documents/schemas.js';
import type { RunStatus } from '../clients/documents/types.js';
import { asObject, isObject, type OpenObject } from '../text/json.js';
import { type Call, type Content, Download, Refused, type ServedOperation } from './call.js';
import type { Clock } from './clock.js';
import {
  type Kind,
  type OutcomeSwitches,
  type Resource,
  type RunRequest,
  Runs,
  type RunTimes,
  type RunVerb,
  runVerbs,
  Store,
} from './documents-state.js';
import type { Api } from './server.js';
import { createWebhooks, type Delivery, type WebhookOptions, type Webhooks } from './webhooks.js';

export interface DocumentsOptions {
  /** Vendor prefix of header names, after `x-`. Default: `service`. */
  readonly vendorPrefix?: string;
  /** How long runs take. Default: half a second. */
  readonly times?: Partial<RunTimes>;
  readonly webhooks?: WebhookOptions;
}

/** The documents as a test sees them. */
export interface DocumentsState {
  /** The status of every run, by id. */
  runs(): ReadonlyMap<string, RunStatus>;
  readonly outcomes: OutcomeSwitches;
  /** Webhooks that were sent, and their answers. */
  readonly deliveries: readonly Delivery[];
  /** Resolves when every webhook so far has been answered or has failed. */
  webhooksSettled(): Promise<void>;
}

interface Service {
  readonly store: Store;
  readonly runs: Runs;
  readonly webhooks: Webhooks;
}

/** `ids` are those of the path: last the resource's, before it the owner's. */
type Act = (service: Service, call: Call, kind: Kind, ids: readonly string[]) => object;

/** By action. */
const usual: Readonly<Record<string, Act>> = {
  create: ({ store }, call, kind) => store.add(kind, call.object()),
  // In one of the forms, the path has no owner.
  get: ({ store }, _, kind, ids) => store.find(kind, ids.at(-1), ids.at(-2)),
  update({ store }, call, kind, ids) {
    const { id } = store.find(kind, ids.at(-1), ids.at(-2));
    return store.change(id, call.object());
  },
  delete: ({ store }, _, kind, ids) => store.delete(store.find(kind, ids.at(-1), ids.at(-2)).id),
  list({ store }, call, kind, [owner]) {
    if (owner !== undefined) store.find(kind.replace(/\.\w+$/, '') as Kind, owner);
    return store.page(kind, call, owner);
  },
  cancel({ runs, store }, call, kind, [id]) {
    // The specification requires a content type on every POST.
    call.json();
    return runs.cancel(store.find(kind, id));
  },
};

/** The processor behind each kind of run; parsing and editing need none. */
const nouns = { extract: 'extractor', classify: 'classifier', split: 'splitter' } as const;
type Noun = (typeof nouns)[keyof typeof nouns];

/** By operation. */
const special: Readonly<Record<string, Act>> = {
  'files.upload'({ store }, call) {
    const { file } = call.arrived;
    if (file === null) throw new Refused(400, 'The body must be a form with a part called file');
    return store.addFile(call.flag('convertToPdf') ? { ...file, type: 'application/pdf' } : file);
  },
  'files.get'({ store }, call, _, [id]) {
    const file = store.find('files', id);
    const wanted = ['rawText', 'markdown', 'html'].filter((name) => call.flag(name));
    const text = textOf(store.content(file.id));
    const contents = Object.fromEntries(wanted.map((name) => [name, text]));
    return wanted.length === 0 ? file : { ...file, contents };
  },
  ...Object.fromEntries(
    runVerbs.flatMap((verb): [string, Act][] => [
      [verb, (service, call) => service.runs.start(verb, runOf(service, verb, call), true)],
      [
        `${verb}Runs.create`,
        (service, call) => service.runs.start(verb, runOf(service, verb, call)),
      ],
    ]),
  ),
  ...Object.fromEntries(
    Object.values(nouns).map((noun): [string, Act] => [
      `${noun}s.versions.create`,
      ({ store }, call, kind, [id]) => {
        const { id: owner, config = {} } = store.find(`${noun}s`, id);
        const { releaseType, ...given } = call.object();
        const last = store.all(kind, owner).at(-1)?.['version'] ?? '0.0';
        const [major = 0, minor = 0] = `${last}`.split('.').map(Number);
        const version = releaseType === 'major' ? `${major + 1}.0` : `${major}.${minor + 1}`;
        return store.add(kind, { config, ...given, version, [`${noun}Id`]: owner });
      },
    ]),
  ),
  'workflowRuns.create': startWorkflows,
  'workflowRuns.createBatch': startWorkflows,
  'evaluationSets.items.create': createItems,
  'evaluationSets.items.createBulk': createItems,
};

/** The processor that a body names, with a configuration: an override, that of a version, its own. */
function processorNamed(store: Store, noun: Noun, { id, version, overrideConfig }: OpenObject) {
  const processor = store.find(`${noun}s`, `${id}`);
  const published = store.all(`${noun}s.versions`, processor.id);
  const isDraft = version === undefined || version === 'draft';
  const found = isDraft ? processor : published.find((each) => each['version'] === version);
  if (found === undefined) throw new Refused(404, 'There is no such version');
  const config = overrideConfig ?? found['config'] ?? {};
  return { [noun]: processor, [`${noun}Id`]: processor.id, config };
}

/**
 * The file that a request names: an uploaded one, an address, or a text. Nothing is fetched from
 * an address, so the content of such a file is empty.
 */
function fileNamed(store: Store, reference: unknown): Resource {
  // `name` today; `fileName` in the workflow runs of the specification.
  const { id, url, text, fileName, name = fileName } = asObject(reference);
  if (typeof id === 'string') return store.find('files', id);
  const isAddress = typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url);
  if (typeof text !== 'string' && !isAddress) {
    throw new Refused(400, 'file must have an id, a text or a valid url');
  }
  const usual = isAddress ? new URL(url).pathname.split('/').at(-1) : 'text.txt';
  const type = isAddress ? 'application/octet-stream' : 'text/plain; charset=utf-8';
  const content = Buffer.from(isAddress ? '' : `${text}`);
  return store.addFile({ name: `${name ?? (usual || 'file')}`, type, content });
}

/** Processing of a file, by a stored processor (if the verb has them) or a configuration. */
function runOf({ store, runs }: Service, verb: RunVerb, call: Call): RunRequest {
  const { file: reference, metadata = null, ...body } = call.object();
  const file = fileNamed(store, reference);
  // Read now, because the file may be deleted before the run ends.
  const content = store.content(file.id);
  const noun = nouns[verb as keyof typeof nouns];
  const named = noun && isObject(body[noun]) ? processorNamed(store, noun, body[noun]) : {};
  const { config, ...details } = { config: body['config'] ?? {}, ...named };
  return {
    outcome: runs.outcomeOf(verb, call),
    details: { output: null, metadata, ...details, config, file, fileName: file['name'] },
    makeResult: () => ({ output: outputOf(verb, asObject(config), content, store) }),
  };
}

/** The output of a run, as if the document held nothing of what the configuration asks for. */
function outputOf(verb: RunVerb, config: OpenObject, file: Content, store: Store): object {
  const [first] = [config['classifications'] ?? config['splitClassifications']].flat();
  const { type = 'other', id = type } = asObject(first);
  if (verb === 'classify') return { id, type, confidence: 0.97 };
  if (verb === 'split') {
    return { splits: [{ id: '1', type, classificationId: id, startPage: 1, endPage: 1 }] };
  }
  if (verb === 'extract') {
    const names = Object.keys(asObject(asObject(config['schema'])['properties']));
    return { value: Object.fromEntries(names.map((name) => [name, null])), metadata: {} };
  }
  if (verb === 'parse') {
    const metadata = { pageRange: { start: 1, end: 1 } };
    return { chunks: [{ object: 'chunk', type: 'page', content: textOf(file), metadata }] };
  }
  const { id: copy, presignedUrl } = store.addFile(file);
  return { editedFile: { id: copy, presignedUrl }, filledValues: {} };
}

/** The text of a file, or its name if it is empty. */
function textOf({ name, content }: Content): string {
  return content.byteLength > 0 ? content.toString() : name;
}

/**
 * Starts one run, or all runs of a batch; of a batch, none starts unless all can. The body is
 * `{ workflowId, files }` as specified (for a batch, only `files` is certain). Today it is
 * `{ workflow: { id }, file }`, or `inputs` with a file each.
 */
function startWorkflows(service: Service, call: Call): object {
  const { store, runs } = service;
  const { workflow: today, workflowId, metadata = null, ...body } = call.object();
  const id = isObject(today) ? today['id'] : workflowId;
  if (typeof id !== 'string') throw new Refused(400, 'The body names no workflow');
  const workflow = store.find('workflows', id);
  const isBatch = call.operation.id.endsWith('Batch');
  const batchId = isBatch ? store.newId('batch_') : null;
  const inputs: readonly OpenObject[] = today
    ? isBatch
      ? objects(body, 'inputs').map(({ file, metadata = null }) => ({ files: [file], metadata }))
      : [{ files: [body['file']], metadata }]
    : isBatch
      ? objects(body, 'files').map((file) => ({ files: [file], metadata: null }))
      : [{ files: objects(body, 'files'), metadata }];
  const requests = inputs.map((each) => workflowRun(service, call, workflow, { ...each, batchId }));
  const [first] = requests.map((request) => runs.start('workflow', request));
  return isBatch ? { batchId } : first!;
}

/** Sends an event for each step before the run itself ends. */
function workflowRun(
  { store, runs, webhooks }: Service,
  call: Call,
  { id, name, steps = [] }: Resource,
  { files: references, ...more }: OpenObject,
): RunRequest {
  const files = (references as readonly unknown[]).map((each) => fileNamed(store, each));
  const runStep = ({ type = 'EXTRACT', name: called = type }: OpenObject): object => {
    const step = { object: 'workflow_step', name: called, type };
    const done = { stepType: type, step, status: 'PROCESSED', result: {} };
    const run = { object: 'workflow_step_run', id: store.newId('workflow_step_run_'), ...done };
    webhooks.emit('workflow_run.step_run.processed', run);
    return run;
  };
  const workflow = { object: 'workflow', id, name };
  const fileName = files.map((file) => file['name']).join('\n');
  return {
    outcome: runs.outcomeOf('workflow', call),
    details: { stepRuns: [], workflow, workflowId: id, files, fileName, ...more },
    makeResult: () => ({ stepRuns: (steps as readonly OpenObject[]).map(runStep) }),
  };
}

function createItems({ store }: Service, call: Call): object {
  const { id: evaluationSetId } = store.find('evaluationSets', call.path[0]);
  const items = objects(call.object(), 'items').map(({ file, fileId, ...item }) => {
    return { evaluationSetId, file: fileNamed(store, file ?? { id: fileId }), ...item };
  });
  return { evaluationSetItems: items.map((each) => store.add('evaluationSets.items', each)) };
}

function objects(body: OpenObject, name: string): readonly OpenObject[] {
  const value = body[name];
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new Refused(400, `${name} must be an array of objects`);
}

const codes: Readonly<Record<number, string>> = {
  401: 'UNAUTHORIZED',
  402: 'USAGE_BLOCKED',
  404: 'NOT_FOUND',
  410: 'ENDPOINT_REMOVED',
  429: 'RATE_LIMIT_EXCEEDED',
};

/**
 * The operations as specified and as accepted today. Neither can start a run of an evaluation set,
 * so there is none to get.
 */
const operations: readonly ServedOperation[] = [
  ...documentOperations,
  ...documentOperations.map((each) => ({ ...each, ...currentForms[each.id] })),
  { id: 'downloads.get', method: 'GET', path: '/downloads/{id}' },
];

/** The API without any documents, and its state; `origin` is the address of the server. */
export function createDocumentsApi(
  { vendorPrefix, ...options }: DocumentsOptions,
  clock: Clock,
  origin: () => string,
) {
  const headerPrefix = vendorHeaderPrefix(vendorPrefix);
  if (headerPrefix === undefined) throw new RangeError('vendorPrefix is not part of a header name');
  const store = new Store(clock, origin);
  const webhooks = createWebhooks(options.webhooks, headerPrefix, store);
  const times = { pendingMs: 100, processingMs: 400, cancellingMs: 0, ...options.times };
  const runs = new Runs(store, times, (...event) => webhooks.emit(...event));
  const versions: readonly string[] = apiVersions;
  const api: Api = {
    prefix: '/documents',
    operations,
    validators: documentsValidators,
    act(call) {
      const { id } = call.operation;
      if (id === 'downloads.get') return new Download(store.content(call.path[0] ?? ''));
      const [, kind = '', action = ''] = /^(.*)\.(\w+)$/.exec(id) ?? [];
      const act = special[id] ?? usual[action];
      if (act === undefined) throw new Error(`nothing does ${id}`);
      return act({ store, runs, webhooks }, call, kind as Kind, call.path);
    },
    admit(headers, operation) {
      // The address is the credential.
      if (operation === 'downloads.get') return;
      if (headers.get('authorization') !== 'Bearer sandbox-key') {
        throw new Refused(401, 'The API key is missing or not valid');
      }
      const header = `${headerPrefix}api-version`;
      if (versions.includes(headers.get(header) ?? '')) return;
      throw new Refused(400, `The header ${header} is missing, or names no version`);
    },
    refusal({ status, message }) {
      const code = codes[status] ?? (status >= 500 ? 'INTERNAL_ERROR' : 'INVALID_REQUEST');
      const retryable = status === 429 || status >= 500;
      return { code, message, retryable, requestId: store.newId('req_') };
    },
  };
  const state: DocumentsState = {
    runs: () => runs.statuses(),
    outcomes: runs,
    deliveries: webhooks.deliveries,
    webhooksSettled: webhooks.settled,
  };
  return { api, state, stop: webhooks.stop };
}

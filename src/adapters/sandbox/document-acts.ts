/**
 * The operations of the documents API that are not the same for every kind of resource: of files,
 * processors and their versions, runs, and what belongs to an evaluation set.
 */
import type { CreateProcessor, PublishVersion, UpdateProcessor } from '../documents/types.js';
import { type Call, isObject, type JsonObject, Refused } from './call.js';
import { classifyOutput, extractOutput, parseOutput, splitOutput, textOf } from './output.js';
import { type RunRequest, type Runs, type RunVerb, runVerbs } from './runs.js';
import type { Resource, Store } from './store.js';
import type { Webhooks } from './webhooks.js';

export interface Shop {
  readonly store: Store;
  readonly runs: Runs;
  readonly webhooks: Webhooks;
}

type Act = (shop: Shop, call: Call) => object;

/** By the verb of a run, the processor that does it; parsing and editing need none. */
const nouns = { extract: 'extractor', classify: 'classifier', split: 'splitter' } as const;
type Noun = (typeof nouns)[keyof typeof nouns];

export const documentActs: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['files.upload', uploadFile],
  ['files.get', getFile],
  ...Object.values(nouns).flatMap((noun): [string, Act][] => [
    [`${noun}s.create`, (shop, call) => createProcessor(shop, noun, call)],
    [`${noun}s.update`, (shop, call) => updateProcessor(shop, noun, call)],
    [`${noun}s.versions.create`, (shop, call) => publishVersion(shop, noun, call)],
  ]),
  ...runVerbs.flatMap((verb): [string, Act][] => [
    [verb, (shop, call) => shop.runs.complete(verb, requestOf(shop, verb, call))],
    [`${verb}Runs.create`, (shop, call) => shop.runs.start(verb, requestOf(shop, verb, call))],
  ]),
  ['workflowRuns.createBatch', startBatch],
  ['evaluationSets.items.create', createItems],
  ['evaluationSets.items.createBulk', createItems],
  ['evaluationSets.runs.create', createEvaluationRun],
]);

function uploadFile({ store }: Shop, call: Call): object {
  const { file } = call.arrived;
  if (file === null) throw new Refused(400, 'The body must be a form with a part called file');
  return store.addFile(call.flag('convertToPdf') ? { ...file, type: 'application/pdf' } : file);
}

function getFile({ store }: Shop, call: Call): object {
  const file = store.find('files', call.path[0] ?? '');
  const rawText = textOf(store.content(file.id));
  const wanted = ['rawText', 'markdown', 'html'].filter((name) => call.flag(name));
  return wanted.length === 0
    ? file
    : { ...file, contents: Object.fromEntries(wanted.map((name) => [name, rawText])) };
}

/**
 * The file that a request names: one that was uploaded, an address, or a text. Nothing is fetched
 * from an address: such a file is one whose content is not known.
 */
function fileNamed(store: Store, reference: unknown): Resource {
  // `name` today, `fileName` in the specification's workflow runs.
  const { id, url, text, fileName, name = fileName } = isObject(reference) ? reference : {};
  if (typeof id === 'string') return store.find('files', id);
  if (typeof text === 'string') {
    const type = 'text/plain; charset=utf-8';
    return store.addFile({ name: `${name ?? 'text.txt'}`, type, content: Buffer.from(text) });
  }
  if (typeof url !== 'string' || !/^https?:/i.test(url) || !URL.canParse(url)) {
    throw new Refused(400, 'file must have an id, a text or a valid url');
  }
  const known = `${name ?? (new URL(url).pathname.split('/').at(-1) || 'file')}`;
  return store.addFile({ name: known, type: 'application/octet-stream', content: Buffer.alloc(0) });
}

/** Extractors, classifiers and splitters: each has a draft that changes, and versions that do not. */
function createProcessor({ store }: Shop, noun: Noun, call: Call): object {
  const { name, config = {} } = call.object() as CreateProcessor;
  const { id } = store.add(`${noun}s`, { name });
  const object = `${noun}_version`;
  const draft = { object, id: store.newId('draft_'), version: 'draft', description: null, config };
  return store.change(`${noun}s`, id, { draftVersion: { ...draft, [`${noun}Id`]: id } });
}

function updateProcessor({ store }: Shop, noun: Noun, call: Call): object {
  const before = store.find(`${noun}s`, call.path[0] ?? '');
  const draft = before['draftVersion'] as JsonObject;
  const { name = before['name'], config = draft['config'] } = call.object() as UpdateProcessor;
  return store.change(`${noun}s`, before.id, { name, draftVersion: { ...draft, config } });
}

function publishVersion({ store }: Shop, noun: Noun, call: Call): object {
  const owner = store.find(`${noun}s`, call.path[0] ?? '');
  const draft = owner['draftVersion'] as JsonObject;
  const last = store.all(`${noun}s.versions`, owner.id).at(-1);
  const body = call.object() as unknown as PublishVersion;
  const { releaseType, description = null, config = draft['config'] } = body;
  const [major = 0, minor = 0] = `${last?.['version'] ?? '0.0'}`.split('.').map(Number);
  if (!/^(?:major|minor)$/.test(releaseType)) {
    throw new Refused(400, 'releaseType must be major or minor');
  }
  const version = releaseType === 'major' ? `${major + 1}.0` : `${major}.${minor + 1}`;
  const fields = { version, description, config, [`${noun}Id`]: owner.id };
  return store.add(`${noun}s.versions`, fields, { parent: owner.id });
}

/** The processor and the version that a request names; the latest where it names none. */
function processorNamed(store: Store, noun: Noun, reference: JsonObject) {
  const processor = store.find(`${noun}s`, `${reference['id']}`);
  const published: readonly JsonObject[] = store.all(`${noun}s.versions`, processor.id);
  const all = [processor['draftVersion'] as JsonObject, ...published];
  const { version: wanted = 'latest' } = reference;
  const isWanted = (each: JsonObject) => each['id'] === wanted || each['version'] === wanted;
  const version = wanted === 'latest' ? all.at(-1) : all.find(isWanted);
  if (version === undefined) throw new Refused(404, 'There is no such version');
  return { processor, version };
}

/** Processing of a file, by a stored processor (where the verb has such) or a configuration. */
function requestOf(shop: Shop, verb: RunVerb, call: Call): RunRequest {
  const body = call.object();
  if (verb === 'workflow') {
    const { workflow, isToday } = workflowNamed(shop, body);
    const files = isToday ? [body['file']] : objects(body, 'files');
    return workflowRequest(shop, call, workflow, files, { metadata: body['metadata'] ?? null });
  }
  const { store, runs } = shop;
  const file = fileNamed(store, body['file']);
  // The file may be deleted before the run ends.
  const content = store.content(file.id);
  const noun = verb in nouns ? nouns[verb as keyof typeof nouns] : null;
  const reference = noun && (body[noun] as JsonObject | undefined);
  const named = noun && reference ? processorNamed(store, noun, reference) : null;
  const override = reference?.['overrideConfig'] ?? body['config'];
  const config = (override ?? named?.version['config'] ?? {}) as JsonObject;
  const makers = {
    extract: () => extractOutput(config),
    classify: () => classifyOutput(config),
    split: () => splitOutput(config, file.id),
    parse: () => parseOutput(content),
    // The same content once more.
    edit: () => {
      const edited = store.addFile({ ...content, name: `edited-${content.name}` });
      const { id, presignedUrl } = edited;
      return { editedFile: { id, presignedUrl }, filledValues: {} };
    },
  };
  const processor = named?.processor ?? null;
  const version = named?.version ?? null;
  const processed = noun === null ? {} : { [noun]: processor, [`${noun}Version`]: version };
  return {
    outcome: runs.outcomeOf(verb, call),
    makeOutput: makers[verb],
    facts: { fileName: file['name'], ...(noun && { [`${noun}Id`]: processor?.id }) },
    details: { metadata: body['metadata'] ?? null, config, ...processed, file },
  };
}

/**
 * The workflow of a request, in both forms: `{ workflowId, files }` of the specification, and
 * `{ workflow: { id }, file }` of today.
 */
function workflowNamed({ store }: Shop, { workflow, workflowId }: JsonObject) {
  const isToday = isObject(workflow);
  const id = isToday ? workflow['id'] : workflowId;
  if (typeof id !== 'string') throw new Refused(400, 'The body names no workflow');
  return { isToday, workflow: store.find('workflows', id) };
}

/** Each step is told before the run itself ends. */
function workflowRequest(
  { store, runs, webhooks }: Shop,
  call: Call,
  { id, name, steps = [] }: Resource,
  references: readonly unknown[],
  more: JsonObject,
): RunRequest {
  const files = references.map((each) => fileNamed(store, each));
  const runStep = ({ type = 'EXTRACT', name: called = type }: JsonObject): object => {
    const step = { object: 'workflow_step', name: called, type };
    const done = { stepType: type, step, status: 'PROCESSED', result: {} };
    const run = { object: 'workflow_step_run', id: store.newId('workflow_step_run_'), ...done };
    webhooks.emit('workflow_run.step_run.processed', run);
    return run;
  };
  return {
    outcome: runs.outcomeOf('workflow', call),
    makeOutput: () => (steps as readonly JsonObject[]).map(runStep),
    facts: { fileName: files.map((file) => file['name']).join('\n'), workflowId: id },
    details: { workflow: { object: 'workflow', id, name }, files, batchId: null, ...more },
  };
}

/** Nothing of a batch starts unless all of it can. Of the specification's only its files are known. */
function startBatch(shop: Shop, call: Call): object {
  const body = call.object();
  const { workflow, isToday } = workflowNamed(shop, body);
  const inputs = isToday
    ? objects(body, 'inputs')
    : objects(body, 'files').map((file): JsonObject => ({ file }));
  const batchId = shop.store.newId('batch_');
  const requests = inputs.map(({ file, metadata = null }) =>
    workflowRequest(shop, call, workflow, [file], { metadata, batchId }),
  );
  for (const each of requests) shop.runs.start('workflow', each);
  return { batchId };
}

function createItems({ store }: Shop, call: Call): object {
  const { id } = store.find('evaluationSets', call.path[0] ?? '');
  const read = objects(call.object(), 'items').map(({ file, fileId, ...item }) => {
    return { evaluationSetId: id, file: fileNamed(store, file ?? { id: fileId }), ...item };
  });
  const made = read.map((each) => store.add('evaluationSets.items', each, { parent: id }));
  return { evaluationSetItems: made };
}

/** It has ended as soon as it has begun. */
function createEvaluationRun({ store }: Shop, call: Call): object {
  const set = store.find('evaluationSets', `${call.object()['evaluationSetId']}`);
  const numFiles = store.all('evaluationSets.items', set.id).length;
  const made = { metrics: { numFiles, meanRunTimeMs: 1 }, status: 'PROCESSED', options: {} };
  const run = { evaluationSetId: set.id, entityId: set['entityId'], ...made };
  return store.add('evaluationSets.runs', run, { parent: set.id });
}

function objects(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name];
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new Refused(400, `${name} must be an array of objects`);
}

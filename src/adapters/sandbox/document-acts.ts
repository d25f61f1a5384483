/**
 * What the operations of the documents API do.
 *
 * Most do the same to every kind of resource: the id of an operation is a kind and what is done to it,
 * `extractors.versions` and `get`. Those of files, processors, runs and evaluation sets that do more
 * stand in a table.
 */
import type { PublishVersion } from '../documents/types.js';
import { type Call, isObject, type JsonObject, Refused } from './call.js';
import { classifyOutput, extractOutput, parseOutput, splitOutput, textOf } from './output.js';
import { type RunRequest, type Runs, type RunVerb, runVerbs } from './runs.js';
import type { Kind, Resource, Store } from './store.js';
import type { Webhooks } from './webhooks.js';

interface Shop {
  readonly store: Store;
  readonly runs: Runs;
  readonly webhooks: Webhooks;
}

type Act = (shop: Shop, call: Call) => object;

/** Carries out an operation, and returns what it answers. */
export function actOn(shop: Shop, call: Call): object {
  const { store, runs } = shop;
  const { path, operation } = call;
  const special = specialActs.get(operation.id);
  if (special !== undefined) return special(shop, call);
  const cut = operation.id.lastIndexOf('.');
  const kind = operation.id.slice(0, cut) as Kind;
  const id = path.at(-1) ?? '';
  // Absent where the path names no owner; in one of the forms it does not.
  const owner = path.at(-2);
  switch (operation.id.slice(cut + 1)) {
    case 'create':
      return store.add(kind, call.object());
    case 'update':
      store.find(kind, id, owner);
      return store.change(kind, id, call.object());
    case 'get':
      return store.find(kind, id, owner);
    case 'delete':
      return store.delete(kind, id, owner);
    case 'list':
      if (path.length > 0) store.find(kind.replace(/\.\w+$/, '') as Kind, id);
      return store.page(kind, call, path[0]);
    case 'cancel':
      // The specification wants a content type on every POST.
      call.json();
      return runs.cancel(kind.replace('Runs', '') as RunVerb, id);
    default:
      throw new Error(`nothing does ${operation.id}`);
  }
}

/** By the verb of a run, the processor that does it; parsing and editing need none. */
const nouns = new Map<RunVerb, 'extractor' | 'classifier' | 'splitter'>([
  ['extract', 'extractor'],
  ['classify', 'classifier'],
  ['split', 'splitter'],
]);

const specialActs: ReadonlyMap<string, Act> = new Map<string, Act>([
  ['files.upload', uploadFile],
  ['files.get', getFile],
  ...[...nouns.values()].flatMap((noun): [string, Act][] => [
    [`${noun}s.create`, ({ store }, call) => store.add(`${noun}s`, withDraft(call, {}))],
    [
      `${noun}s.update`,
      ({ store }, call) => {
        const before = store.find(`${noun}s`, call.path[0] ?? '');
        return store.change(`${noun}s`, before.id, withDraft(call, before));
      },
    ],
    [
      `${noun}s.versions.create`,
      ({ store }, call) => {
        const owner = store.find(`${noun}s`, call.path[0] ?? '');
        const before = store.all(`${noun}s.versions`, owner.id);
        const version = nextVersion(call, owner, before.at(-1));
        return store.add(`${noun}s.versions`, { ...version, [`${noun}Id`]: owner.id });
      },
    ],
  ]),
  ...runVerbs.flatMap((verb): [string, Act][] => [
    [verb, (shop, call) => shop.runs.start(verb, requestOf(shop, verb, call), true)],
    [`${verb}Runs.create`, (shop, call) => shop.runs.start(verb, requestOf(shop, verb, call))],
  ]),
  ['workflowRuns.create', startWorkflow],
  ['workflowRuns.createBatch', startBatch],
  ['evaluationSets.items.create', createItems],
  ['evaluationSets.items.createBulk', createItems],
]);

function uploadFile({ store }: Shop, call: Call): object {
  const { file } = call.arrived;
  if (file === null) throw new Refused(400, 'The body must be a form with a part called file');
  return store.addFile(call.flag('convertToPdf') ? { ...file, type: 'application/pdf' } : file);
}

function getFile({ store }: Shop, call: Call): object {
  const file = store.find('files', call.path[0] ?? '');
  const text = textOf(store.content(file.id));
  const wanted = ['rawText', 'markdown', 'html'].filter((name) => call.flag(name));
  if (wanted.length === 0) return file;
  return { ...file, contents: Object.fromEntries(wanted.map((name) => [name, text])) };
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

/** A processor as a request makes or changes it. Its draft changes; its versions do not. */
function withDraft(call: Call, before: JsonObject): JsonObject {
  const draft = { version: 'draft', config: {}, ...(before['draftVersion'] as JsonObject) };
  const { name = before['name'], config = draft.config } = call.object();
  return { name, draftVersion: { ...draft, config } };
}

function nextVersion(call: Call, owner: JsonObject, last: JsonObject | undefined): JsonObject {
  const draft = owner['draftVersion'] as JsonObject;
  const body = call.object() as unknown as PublishVersion;
  const { releaseType, description = null, config = draft['config'] } = body;
  const [major = 0, minor = 0] = `${last?.['version'] ?? '0.0'}`.split('.').map(Number);
  if (!/^(?:major|minor)$/.test(releaseType)) {
    throw new Refused(400, 'releaseType must be major or minor');
  }
  const version = releaseType === 'major' ? `${major + 1}.0` : `${major}.${minor + 1}`;
  return { version, description, config };
}

/** The processor and the version that a body names; the latest where it names none. */
function processorNamed(store: Store, verb: RunVerb, body: JsonObject): JsonObject {
  const noun = nouns.get(verb);
  if (noun === undefined) return {};
  const reference = body[noun] as JsonObject | undefined;
  if (reference === undefined) return { [noun]: null, [`${noun}Version`]: null };
  const processor = store.find(`${noun}s`, `${reference['id']}`);
  const published: readonly JsonObject[] = store.all(`${noun}s.versions`, processor.id);
  const all = [processor['draftVersion'] as JsonObject, ...published];
  const { version: wanted = all.at(-1)?.['version'] } = reference;
  const version = all.find((each) => each['id'] === wanted || each['version'] === wanted);
  if (version === undefined) throw new Refused(404, 'There is no such version');
  const config = reference['overrideConfig'] ?? version['config'];
  return { [noun]: processor, [`${noun}Version`]: version, [`${noun}Id`]: processor.id, config };
}

/** Processing of a file, by a stored processor (where the verb has such) or a configuration. */
function requestOf({ store, runs }: Shop, verb: RunVerb, call: Call): RunRequest {
  const body = call.object();
  const file = fileNamed(store, body['file']);
  // The file may be deleted before the run ends.
  const content = store.content(file.id);
  const named = processorNamed(store, verb, body);
  const config = (body['config'] ?? named['config'] ?? {}) as JsonObject;
  const makers: Readonly<Partial<Record<RunVerb, () => object>>> = {
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
  const metadata = body['metadata'] ?? null;
  return {
    outcome: runs.outcomeOf(verb, call),
    makeOutput: makers[verb] ?? (() => null),
    details: { metadata, ...named, config, file, fileName: file['name'] },
  };
}

/**
 * The workflow of a body, in both forms: `{ workflowId, files }` of the specification, and
 * `{ workflow: { id }, file }` of today.
 */
function workflowNamed({ store }: Shop, { workflow, workflowId }: JsonObject) {
  const isToday = isObject(workflow);
  const id = isToday ? workflow['id'] : workflowId;
  if (typeof id !== 'string') throw new Refused(400, 'The body names no workflow');
  return { isToday, workflow: store.find('workflows', id) };
}

function startWorkflow(shop: Shop, call: Call): object {
  const body = call.object();
  const { workflow, isToday } = workflowNamed(shop, body);
  const files = isToday ? [body['file']] : objects(body, 'files');
  const more = { metadata: body['metadata'] ?? null };
  return shop.runs.start('workflow', workflowRequest(shop, call, workflow, files, more));
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
  const workflow = { object: 'workflow', id, name };
  const fileName = files.map((file) => file['name']).join('\n');
  return {
    outcome: runs.outcomeOf('workflow', call),
    makeOutput: () => (steps as readonly JsonObject[]).map(runStep),
    details: { workflow, workflowId: id, files, fileName, batchId: null, ...more },
  };
}

function createItems({ store }: Shop, call: Call): object {
  const { id: evaluationSetId } = store.find('evaluationSets', call.path[0] ?? '');
  const items = objects(call.object(), 'items').map(({ file, fileId, ...item }) => {
    return { evaluationSetId, file: fileNamed(store, file ?? { id: fileId }), ...item };
  });
  return { evaluationSetItems: items.map((each) => store.add('evaluationSets.items', each)) };
}

function objects(body: JsonObject, name: string): readonly JsonObject[] {
  const value = body[name];
  if (Array.isArray(value) && value.every(isObject)) return value;
  throw new Refused(400, `${name} must be an array of objects`);
}

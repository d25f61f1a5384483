/**
 * What each operation of the documents API does: every kind of resource is made in a way of its own,
 * and kept, listed, changed and deleted in the same way.
 *
 * A request at once is answered when its run has ended, which in the sandbox is immediately; how slow
 * it seems is a matter of the fault `latency`.
 */
import { type Call, isObject, type JsonObject, objects, Refused, text } from './call.js';
import { classifyOutput, extractOutput, parseOutput, splitOutput } from './output.js';
import {
  Collection,
  type Downloads,
  Files,
  type Resource,
  textOf,
  type World,
} from './resources.js';
import type { Outcomes, RunKind, RunRequest, Runs } from './runs.js';
import type { Webhooks } from './webhooks.js';

/** Which forms of requests are understood: those of the specification, today's, or both. */
export type Wire = 'spec' | 'current' | 'both';

/** Answers with JSON. */
export type JsonAct = (call: Call) => object;
type Acts = Readonly<Record<string, JsonAct>>;

export interface Shop {
  readonly world: World;
  readonly downloads: Downloads;
  readonly webhooks: Webhooks;
  readonly outcomes: Outcomes;
  readonly runs: Readonly<Record<RunKind, Runs>>;
  readonly wire: Wire;
}

export function documentActs(shop: Shop): Acts {
  const files = new Files(shop.world, shop.downloads);
  const extractors = createProcessors(shop.world, 'extractor', 'ex');
  const classifiers = createProcessors(shop.world, 'classifier', 'cl');
  const splitters = createProcessors(shop.world, 'splitter', 'sp');
  return {
    ...fileActs(files, shop.downloads),
    ...extractors.acts,
    ...classifiers.acts,
    ...splitters.acts,
    ...processingActs(shop, 'extract', files, extractors),
    ...processingActs(shop, 'classify', files, classifiers),
    ...processingActs(shop, 'split', files, splitters),
    ...processingActs(shop, 'parse', files, null),
    ...processingActs(shop, 'edit', files, null),
    ...workflowActs(shop, files),
    ...evaluationActs(shop, files, [extractors, classifiers, splitters]),
  };
}

/**
 * Get, list and delete; the table says which of it a kind has. What belongs to a parent is found
 * where the path names that; in one of the forms it does not.
 */
function keeping(
  group: string,
  kept: Collection,
  idName = 'id',
  parents?: Collection,
  parentName = 'id',
): Acts {
  const parentOf = ({ path }: Call) =>
    path.has(parentName) ? parents?.find(path.get(parentName) ?? '').id : undefined;
  return {
    [`${group}.get`]: (call) => kept.find(call.param(idName), parentOf(call)),
    [`${group}.list`]: (call) => kept.page(call, parentOf(call)),
    [`${group}.delete`]: (call) => kept.delete(call.param(idName), parentOf(call)),
  };
}

function fileActs(files: Files, downloads: Downloads): Acts {
  return {
    ...keeping('files', files),
    'files.upload': (call) => {
      const { file } = call.arrived;
      if (file === null) throw new Refused(400, 'The body is no form with a file as its part file');
      return files.put(call.flag('convertToPdf') ? { ...file, type: 'application/pdf' } : file);
    },
    'files.get': (call) => {
      const file = files.find(call.param('id'));
      const wanted = ['rawText', 'markdown', 'html'].filter((name) => call.flag(name));
      const read = textOf(downloads.find(file.id));
      const html = `<pre>${read.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</pre>`;
      const contents = wanted.map((name) => [name, name === 'html' ? html : read]);
      return wanted.length === 0 ? file : { ...file, contents: Object.fromEntries(contents) };
    },
    'files.delete': (call) => {
      const gone = files.delete(call.param('id'));
      downloads.withdraw(gone.id);
      return gone;
    },
  };
}

type Processors = ReturnType<typeof createProcessors>;

/** Extractors, classifiers or splitters: each has a draft that can be changed, and versions that cannot. */
function createProcessors(world: World, noun: string, prefix: string) {
  const kept = new Collection(world, noun, `${prefix}_`);
  const versions = new Collection(world, `${noun}_version`, `${prefix}v_`);
  const ownerName = `${noun}Id`;
  /** All versions of one, the draft first. */
  const versionsOf = ({ id, draftVersion }: Resource): readonly [JsonObject, ...JsonObject[]] => {
    const published = versions.all().filter((each) => each[ownerName] === id);
    return [draftVersion as JsonObject, ...published];
  };
  /** The version that a request names; null where it brings its configuration instead. */
  const versionNamed = (reference: unknown): JsonObject | null => {
    if (reference === undefined || reference === null) return null;
    if (!isObject(reference)) throw new Refused(400, `${noun} must be an object`);
    const all = versionsOf(kept.find(text(reference.id, `${noun}.id`)));
    const { version: wanted = 'latest' } = reference;
    const isWanted = ({ id, version }: JsonObject) => id === wanted || version === wanted;
    const found = wanted === 'latest' ? all.at(-1) : all.find(isWanted);
    if (found !== undefined) return found;
    throw new Refused(404, 'There is no such version');
  };
  const acts: Acts = {
    ...keeping(`${noun}s`, kept),
    ...keeping(`${noun}s.versions`, versions, 'versionId', kept, ownerName),
    [`${noun}s.create`]: (call) => {
      const { name, config = {} } = call.object();
      const draft = { object: versions.object, id: world.newId(versions.prefix), version: 'draft' };
      const more = { description: null, ...configIn({ config }) };
      const { id } = kept.add({ name: text(name, 'name') });
      return kept.change(id, { draftVersion: { ...draft, ...more, [ownerName]: id } });
    },
    [`${noun}s.update`]: (call) => {
      const { name, config } = call.object();
      const before = kept.find(call.param('id'));
      const [draft] = versionsOf(before);
      const draftVersion = { ...draft, ...configIn({ config: config ?? draft.config }) };
      return kept.change(before.id, { name: text(name ?? before.name, 'name'), draftVersion });
    },
    [`${noun}s.versions.create`]: (call) => {
      const owner = kept.find(call.param(ownerName));
      const [draft, ...published] = versionsOf(owner);
      const { releaseType, description = null, config = draft.config } = call.object();
      const [major = 0, minor = 0] = `${published.at(-1)?.version ?? '0.0'}`.split('.').map(Number);
      const next = new Map<unknown, string>([
        ['major', `${major + 1}.0`],
        ['minor', `${major}.${minor + 1}`],
      ]);
      const version = next.get(releaseType);
      if (version === undefined) throw new Refused(400, 'releaseType must be major or minor');
      const fields = { version, description, ...configIn({ config }), [ownerName]: owner.id };
      return versions.add(fields, { parentId: owner.id });
    },
  };
  return { noun, kept, versionNamed, acts };
}

function configIn({ config = {} }: JsonObject): { readonly config: JsonObject } {
  if (isObject(config)) return { config };
  throw new Refused(400, 'config must be an object');
}

/** What runs of every kind do; the table says which of it a kind has. */
function runActs(runs: Runs, read: (call: Call, body: JsonObject) => RunRequest): Acts {
  const group = `${runs.kind}Runs`;
  return {
    ...keeping(group, runs),
    [runs.kind]: (call) => runs.complete(read(call, call.object())),
    [`${group}.create`]: (call) => runs.start(read(call, call.object())),
    [`${group}.cancel`]: (call) => runs.cancel(call.param('id')),
  };
}

/** What only people do to runs, and nobody does here. */
const untouched: JsonObject = {
  initialOutput: null,
  reviewedOutput: null,
  reviewed: false,
  edited: false,
  parseRunId: null,
  usage: { credits: 1 },
  metrics: { processingTimeMs: 1, pageCount: 1 },
};

/** Processing of one file, by a stored processor (where the kind has such) or a configuration. */
function processingActs(
  { runs, outcomes }: Shop,
  kind: Exclude<RunKind, 'workflow'>,
  files: Files,
  processors: Processors | null,
): Acts {
  return runActs(runs[kind], (call, body) => {
    const file = files.named(body.file);
    // A file may be deleted before the run ends.
    const content = files.downloads.find(file.id);
    const { config, facts, ...details } = processors
      ? processorIn(body, processors)
      : { ...configIn(body), facts: {} };
    const outputs: Readonly<Record<typeof kind, () => object>> = {
      extract: () => extractOutput(config),
      classify: () => classifyOutput(config),
      split: () => splitOutput(config, file.id),
      parse: () => parseOutput(textOf(content)),
      edit: () => files.edited(content),
    };
    return {
      outcome: outcomes.decide(kind, call),
      makeOutput: outputs[kind],
      facts: { fileName: file.name, ...facts },
      details: { metadata: metadataIn(body), config, ...details, file, ...untouched },
    };
  });
}

function processorIn(body: JsonObject, { noun, kept, versionNamed }: Processors) {
  const reference = body[noun];
  const version = versionNamed(reference);
  if ((version === null) === (body.config === undefined)) {
    throw new Refused(400, `The body must have either ${noun} or config`);
  }
  const override = isObject(reference) ? reference.overrideConfig : undefined;
  const id = version?.[`${noun}Id`];
  return {
    ...configIn({ config: override ?? body.config ?? version?.config }),
    facts: { [`${noun}Id`]: id },
    [noun]: version && kept.find(`${id}`),
    [`${noun}Version`]: version,
  };
}

/**
 * Workflows and their runs, in both forms: `{ workflowId, files }` of the specification, and
 * `{ workflow: { id }, file }` of today. Each step is told before the run itself ends.
 */
function workflowActs({ world, runs, outcomes, webhooks, wire }: Shop, files: Files): Acts {
  const workflows = new Collection(world, 'workflow', 'workflow_');
  /** Whether a request has today's form, by the field of it. */
  const isToday = (field: unknown) =>
    wire === 'current' || (wire === 'both' && field !== undefined);
  const workflowIn = ({ workflow, workflowId }: JsonObject): Resource => {
    if (!isToday(workflow)) return workflows.find(text(workflowId, 'workflowId'));
    return workflows.find(text(isObject(workflow) && workflow.id, 'workflow.id'));
  };
  const runOf = ({ type = 'EXTRACT', name = type }: JsonObject): object => {
    const id = world.newId('workflow_step_run_');
    const step = { object: 'workflow_step', name, type };
    const done = { stepType: type, step, status: 'PROCESSED', result: {} };
    const stepRun = { object: 'workflow_step_run', id, ...done };
    webhooks.emit('workflow_run.step_run.processed', stepRun);
    return stepRun;
  };
  const request = (
    call: Call,
    { id, name, draftVersion }: Resource,
    references: readonly unknown[],
    more: JsonObject,
  ): RunRequest => {
    const { steps } = draftVersion as { readonly steps: readonly JsonObject[] };
    const used = references.map((each) => files.named(each));
    const workflow = { object: 'workflow', id, name };
    return {
      outcome: outcomes.decide('workflow', call),
      makeOutput: () => steps.map(runOf),
      facts: { fileName: used.map((file) => file.name).join('\n'), workflowId: id },
      details: { workflow, files: used, batchId: null, ...more },
    };
  };
  return {
    ...runActs(runs.workflow, (call, body) => {
      const sent = isToday(body.file) ? [body.file] : objects(body.files, 'files');
      return request(call, workflowIn(body), sent, { metadata: metadataIn(body) });
    }),
    'workflows.create': (call) => {
      const { name, steps = [] } = call.object();
      const draftVersion = { version: 'draft', steps: objects(steps, 'steps') };
      return workflows.add({ name: text(name, 'name'), draftVersion });
    },
    // Nothing of a batch starts unless all of it can. Of the specification's only its files are known.
    'workflowRuns.createBatch': (call) => {
      const body = call.object();
      const inputs = isToday(body.inputs)
        ? objects(body.inputs, 'inputs')
        : objects(body.files, 'files').map((file): JsonObject => ({ file }));
      const batchId = world.newId('batch_');
      const requests = inputs.map((each) =>
        request(call, workflowIn(body), [each.file], { metadata: metadataIn(each), batchId }),
      );
      for (const each of requests) runs.workflow.start(each);
      return { batchId };
    },
    'workflowRuns.update': (call) => {
      const given = Object.entries(call.object()).filter(([name]) =>
        /^(?:name|metadata)$/.test(name),
      );
      return runs.workflow.change(call.param('id'), Object.fromEntries(given));
    },
  };
}

/** The metadata of a request; null where there are none. */
function metadataIn({ metadata }: JsonObject): JsonObject | null {
  if (metadata === undefined || metadata === null) return null;
  if (isObject(metadata)) return metadata;
  throw new Refused(400, 'metadata must be an object');
}

/** Evaluation sets, their items and runs; a run has ended as soon as it has begun. */
function evaluationActs({ world }: Shop, files: Files, processors: readonly Processors[]): Acts {
  const sets = new Collection(world, 'evaluation_set', 'ev_');
  const items = new Collection(world, 'evaluation_set_item', 'evi_');
  const runs = new Collection(world, 'evaluation_set_run', 'evr_');
  const expectedIn = ({ expectedOutput }: JsonObject): JsonObject => {
    if (isObject(expectedOutput)) return { expectedOutput };
    throw new Refused(400, 'expectedOutput must be an object');
  };
  const createItems: JsonAct = (call) => {
    const { id } = sets.find(call.param('id'));
    const read = objects(call.object().items, 'items').map((each) => ({
      evaluationSetId: id,
      file: files.named(each.file ?? { id: each.fileId }),
      ...expectedIn(each),
    }));
    return { evaluationSetItems: read.map((each) => items.add(each, { parentId: id })) };
  };
  return {
    ...keeping('evaluationSets', sets),
    ...keeping('evaluationSets.items', items, 'itemId', sets),
    ...keeping('evaluationSets.runs', runs, 'runId', sets),
    'evaluationSets.create': (call) => {
      const { name, description = '', entityId } = call.object();
      const id = text(entityId, 'entityId');
      const { kept } = processors.find((each) => each.kept.has(id)) ?? processors[0] ?? {};
      const entity = kept?.find(id);
      return sets.add({ name: text(name, 'name'), description, entity }, { entityId });
    },
    'evaluationSets.items.create': createItems,
    'evaluationSets.items.createBulk': createItems,
    'evaluationSets.items.update': (call) => {
      const { id } = items.find(call.param('itemId'), sets.find(call.param('id')).id);
      return items.change(id, expectedIn(call.object()));
    },
    'evaluationSets.runs.create': (call) => {
      const set = sets.find(text(call.object().evaluationSetId, 'evaluationSetId'));
      const numFiles = items.all().filter((each) => each.evaluationSetId === set.id).length;
      const made = { metrics: { numFiles, meanRunTimeMs: 1 }, status: 'PROCESSED', options: {} };
      const run = { evaluationSetId: set.id, entity: set.entity, ...made };
      return runs.add(run, { parentId: set.id });
    },
  };
}

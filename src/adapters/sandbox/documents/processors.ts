/**
 * Extractors, classifiers and splitters: each with a draft that can be changed, and published
 * versions that cannot.
 */
import { jsonAnswer, Refused } from '../answer.js';
import { type Call, isObject, type JsonObject, jsonObject, pathParameter, text } from '../call.js';
import { timestamp } from '../clock.js';
import type { Route } from '../routes.js';
import { type Collection, createCollection, pageOf, type Resource } from './collection.js';
import type { ProcessorKind } from './kinds.js';
import type { Workspace } from './workspace.js';

export interface Version extends Resource {
  readonly processorId: string;
  /** `draft`, or a number such as `1.0`. */
  readonly version: string;
  readonly description: string | null;
  readonly config: JsonObject;
}

export interface Processor extends Resource {
  readonly name: string;
  readonly draft: Version;
  readonly versions: readonly Version[];
}

export interface Processors {
  readonly kind: ProcessorKind;
  readonly collection: Collection<Processor>;
  readonly routes: readonly Route[];
  summary(processor: Processor): object;
  versionSummary(version: Version): object;
}

export function createProcessors(kind: ProcessorKind, workspace: Workspace): Processors {
  const collection = createCollection<Processor>(kind.noun);
  const shelf = { kind, workspace, collection };
  const { plural } = kind;
  const one = `/${plural}/{id}`;
  const versions = `/${plural}/{${kind.noun}Id}/versions`;
  const route = (name: string, method: string, template: string, act: Act): Route => ({
    operation: `${plural}.${name}`,
    method,
    template,
    act: (call) => jsonAnswer(200, act(shelf, call)),
  });
  return {
    kind,
    collection,
    summary: (processor) => summaryOf(kind, processor),
    versionSummary: (version) => versionSummaryOf(kind, version),
    routes: [
      route('create', 'POST', `/${plural}`, create),
      route('get', 'GET', one, (_, call) =>
        render(kind, collection.find(pathParameter(call, 'id'))),
      ),
      route('update', 'POST', one, update),
      route('list', 'GET', `/${plural}`, (_, call) =>
        pageOf(call, collection.all(), (each) => summaryOf(kind, each)),
      ),
      route('versions.create', 'POST', versions, publish),
      route('versions.get', 'GET', `${versions}/{versionId}`, (_, call) =>
        renderVersion(kind, versionOf(ownerIn(shelf, call), pathParameter(call, 'versionId'))),
      ),
      route('versions.list', 'GET', versions, (_, call) =>
        pageOf(call, ownerIn(shelf, call).versions, (each) => versionSummaryOf(kind, each)),
      ),
    ],
  };
}

/** What the operations of one kind work on. */
interface Shelf {
  readonly kind: ProcessorKind;
  readonly workspace: Workspace;
  readonly collection: Collection<Processor>;
}

type Act = (shelf: Shelf, call: Call) => unknown;

const create: Act = ({ kind, workspace, collection }, call) => {
  const body = jsonObject(call);
  const name = text(body.name, 'name');
  const cloned = body[`clone${capitalized(kind.noun)}Id`];
  const origin = cloned === undefined ? null : collection.find(text(cloned, 'the id to clone'));
  const config = configIn(body) ?? origin?.draft.config ?? {};
  const identity = workspace.born(kind.prefix);
  const named = { version: 'draft', description: null, config };
  const draft = { ...workspace.born(kind.versionPrefix), processorId: identity.id, ...named };
  return render(kind, collection.add({ ...identity, name, draft, versions: [] }));
};

const update: Act = ({ kind, workspace, collection }, call) => {
  const processor = collection.find(pathParameter(call, 'id'));
  const body = jsonObject(call);
  const name = body.name === undefined ? processor.name : text(body.name, 'name');
  const config = configIn(body) ?? processor.draft.config;
  const draft = workspace.changed(processor.draft, { config });
  return render(kind, collection.replace(workspace.changed(processor, { name, draft })));
};

const publish: Act = (shelf, call) => {
  const { kind, workspace, collection } = shelf;
  const processor = ownerIn(shelf, call);
  const body = jsonObject(call);
  const published = {
    version: nextNumber(processor.versions.at(-1)?.version, body.releaseType),
    description: body.description === undefined ? null : text(body.description, 'description'),
    config: configIn(body) ?? processor.draft.config,
    processorId: processor.id,
    ...workspace.born(kind.versionPrefix),
  };
  const versions = [...processor.versions, published];
  collection.replace(workspace.changed(processor, { versions }));
  return renderVersion(kind, published);
};

/** The processor whose versions a path is about. */
function ownerIn({ kind, collection }: Shelf, call: Call): Processor {
  return collection.find(pathParameter(call, `${kind.noun}Id`));
}

function summaryOf({ noun }: ProcessorKind, processor: Processor): object {
  const { id, name, createdAt, updatedAt } = processor;
  return {
    object: noun,
    id,
    name,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
  };
}

function versionSummaryOf({ noun }: ProcessorKind, version: Version): object {
  return {
    object: `${noun}_version`,
    id: version.id,
    description: version.description,
    version: version.version,
    [`${noun}Id`]: version.processorId,
    createdAt: timestamp(version.createdAt),
    createdBy: null,
  };
}

function render(kind: ProcessorKind, processor: Processor): object {
  return {
    ...summaryOf(kind, processor),
    draftVersion: renderVersion(kind, processor.draft),
  };
}

function renderVersion(kind: ProcessorKind, version: Version): object {
  return { ...versionSummaryOf(kind, version), config: version.config };
}

/** A version by its id, its number, or as `draft` or `latest`. */
export function versionOf(processor: Processor, wanted: string): Version {
  const all = [processor.draft, ...processor.versions];
  if (wanted === 'latest') return all.at(-1) ?? processor.draft;
  const found = all.find(({ id, version }) => id === wanted || version === wanted);
  if (found === undefined) throw new Refused(404, 'There is no such version');
  return found;
}

function configIn({ config }: JsonObject): JsonObject | undefined {
  if (config === undefined || isObject(config)) return config;
  throw new Refused(400, 'config must be an object');
}

function nextNumber(last: string | undefined, releaseType: unknown): string {
  const [major = 0, minor = 0] = (last ?? '0.0').split('.').map(Number);
  if (releaseType === 'major') return `${major + 1}.0`;
  if (releaseType === 'minor') return `${major}.${minor + 1}`;
  throw new Refused(400, 'releaseType must be major or minor');
}

function capitalized(noun: string): string {
  return `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
}

/**
 * Evaluation sets, their items and runs, in both forms.
 *
 * The specification has no operation that makes a run; today's POST /evaluation_set_runs does, and
 * is served in every form, since without it there would be no run to get.
 */
import { jsonAnswer, Refused } from '../answer.js';
import {
  type Call,
  isObject,
  type JsonObject,
  jsonObject,
  pathParameter,
  queryParameter,
  text,
} from '../call.js';
import type { Route } from '../routes.js';
import { type Collection, createCollection, pageOf } from './collection.js';
import {
  type EvaluationRun,
  type EvaluationSet,
  type Item,
  renderItem,
  renderRun,
  renderSet,
} from './evaluation-records.js';
import { readFileReference } from './file-reference.js';
import type { Files } from './files.js';
import type { Processors } from './processors.js';
import type { Wire } from './workflows.js';
import type { Workspace } from './workspace.js';

export interface EvaluationParts {
  readonly workspace: Workspace;
  readonly files: Files;
  readonly processors: readonly Processors[];
  readonly wire: Wire;
}

const setPath = '/evaluation_sets/{id}';
const itemsPath = `${setPath}/items`;
const itemPath = `${itemsPath}/{itemId}`;

export function evaluationRoutes(parts: EvaluationParts): Route[] {
  const shelf: Shelf = {
    ...parts,
    sets: createCollection('evaluation set'),
    items: createCollection('item'),
    runs: createCollection('evaluation run'),
  };
  const route = (name: string, method: string, template: string, act: Act): Route => ({
    operation: `evaluationSets.${name}`,
    method,
    template,
    act: (call) => jsonAnswer(200, act(shelf, call)),
  });
  const inSpec: Route[] = [
    route('items.createBulk', 'POST', `${itemsPath}/bulk`, createItems),
    route('items.update', 'PATCH', itemPath, updateItem),
    route('runs.get', 'GET', `${setPath}/runs/{runId}`, getRun),
  ];
  const today: Route[] = [
    route('items.update', 'POST', itemPath, updateItem),
    route('runs.get', 'GET', '/evaluation_set_runs/{runId}', getRun),
  ];
  return [
    route('create', 'POST', '/evaluation_sets', createSet),
    route('get', 'GET', setPath, (_, call) => renderSet(setIn(shelf, call))),
    route('list', 'GET', '/evaluation_sets', listSets),
    route('items.create', 'POST', itemsPath, createItems),
    route('items.get', 'GET', itemPath, (_, call) => renderItem(itemIn(shelf, call), shelf.files)),
    route('items.delete', 'DELETE', itemPath, deleteItem),
    route('items.list', 'GET', itemsPath, listItems),
    route('runs.create', 'POST', '/evaluation_set_runs', createRun),
    ...(parts.wire === 'current' ? [] : inSpec),
    ...(parts.wire === 'spec' ? [] : today),
  ];
}

/** What the operations work on. */
interface Shelf extends EvaluationParts {
  readonly sets: Collection<EvaluationSet>;
  readonly items: Collection<Item>;
  readonly runs: Collection<EvaluationRun>;
}

type Act = (shelf: Shelf, call: Call) => unknown;

const createSet: Act = ({ workspace, processors, sets }, call) => {
  const { name, description, entityId } = jsonObject(call);
  const id = text(entityId, 'entityId');
  const set = {
    name: text(name, 'name'),
    description: description === undefined ? '' : text(description, 'description'),
    entity: entityOf(id, processors),
    entityId: id,
  };
  return renderSet(sets.add({ ...workspace.born('ev_'), ...set }));
};

const listSets: Act = ({ sets }, call) => {
  const wanted = queryParameter(call, 'entityId');
  const found = sets.all().filter((set) => wanted === undefined || set.entityId === wanted);
  return pageOf(call, found, renderSet);
};

const createItems: Act = (shelf, call) => {
  const { workspace, files, items } = shelf;
  const { id: setId } = setIn(shelf, call);
  const read = itemsIn(jsonObject(call)).map((each) => ({
    file: readFileReference(each.file ?? { id: each.fileId }, files),
    expectedOutput: expectedIn(each),
  }));
  const created = read.map((each) => items.add({ ...workspace.born('evi_'), setId, ...each }));
  return { evaluationSetItems: created.map((item) => renderItem(item, shelf.files)) };
};

const updateItem: Act = (shelf, call) => {
  const item = itemIn(shelf, call);
  const expectedOutput = expectedIn(jsonObject(call));
  const changed = shelf.workspace.changed(item, { expectedOutput });
  return renderItem(shelf.items.replace(changed), shelf.files);
};

const deleteItem: Act = (shelf, call) => {
  const { id } = itemIn(shelf, call);
  shelf.items.delete(id);
  return { id };
};

const listItems: Act = (shelf, call) => {
  const { id } = setIn(shelf, call);
  const found = shelf.items.all().filter(({ setId }) => setId === id);
  return pageOf(call, found, (item) => renderItem(item, shelf.files));
};

/** A run has ended as soon as it has begun. */
const createRun: Act = ({ workspace, sets, items, runs }, call) => {
  const set = sets.find(text(jsonObject(call).evaluationSetId, 'evaluationSetId'));
  const count = items.all().filter(({ setId }) => setId === set.id).length;
  const run = { ...workspace.born('evr_'), setId: set.id, entity: set.entity, items: count };
  return renderRun(runs.add(run));
};

/** In one form the path names the set too, and then it must be the run's. */
const getRun: Act = (shelf, call) => {
  const run = shelf.runs.find(pathParameter(call, 'runId'));
  if (call.path.has('id') && setIn(shelf, call).id !== run.setId) {
    throw new Refused(404, 'The set has no such run');
  }
  return renderRun(run);
};

function setIn({ sets }: Shelf, call: Call): EvaluationSet {
  return sets.find(pathParameter(call, 'id'));
}

function itemIn(shelf: Shelf, call: Call): Item {
  const { id } = setIn(shelf, call);
  const item = shelf.items.find(pathParameter(call, 'itemId'));
  if (item.setId === id) return item;
  throw new Refused(404, 'The set has no such item');
}

/** The processor that a set is about. */
function entityOf(id: string, processors: readonly Processors[]): object {
  const found = processors.find(({ collection }) => collection.has(id));
  if (found === undefined) throw new Refused(404, 'There is no processor with this entityId');
  return found.summary(found.collection.find(id));
}

function itemsIn({ items }: JsonObject): readonly JsonObject[] {
  if (Array.isArray(items) && items.length > 0 && items.every(isObject)) return items;
  throw new Refused(400, 'items must be an array of objects that is not empty');
}

function expectedIn({ expectedOutput }: JsonObject): unknown {
  if (isObject(expectedOutput)) return expectedOutput;
  throw new Refused(400, 'expectedOutput must be an object');
}

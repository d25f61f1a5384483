/** Operations that runs of every kind have: get, list, delete, cancel. */
import { type Answer, jsonAnswer, Refused } from '../answer.js';
import { type Call, isObject, type JsonObject, pathParameter, queryParameter } from '../call.js';
import type { Route } from '../routes.js';
import { pageOf } from './collection.js';
import type { Run } from './run.js';
import type { Runs } from './runs.js';

type Verb = 'get' | 'list' | 'delete' | 'cancel';

/** The routes of the verbs that the kind has. */
export function runRoutes(runs: Runs, verbs: readonly Verb[]): Route[] {
  const collection = `/${runs.kind.object}s`;
  const one = `${collection}/{id}`;
  const all: readonly (Route & { readonly verb: Verb })[] = [
    { verb: 'get', operation: 'get', method: 'GET', template: one, act: (call) => get(runs, call) },
    {
      verb: 'list',
      operation: 'list',
      method: 'GET',
      template: collection,
      act: (call) => list(runs, call),
    },
    {
      verb: 'delete',
      operation: 'delete',
      method: 'DELETE',
      template: one,
      act: (call) => remove(runs, call),
    },
    {
      verb: 'cancel',
      operation: 'cancel',
      method: 'POST',
      template: `${one}/cancel`,
      act: (call) => jsonAnswer(200, runs.render(runs.cancel(pathParameter(call, 'id')))),
    },
  ];
  return all
    .filter(({ verb }) => verbs.includes(verb))
    .map(({ verb, ...route }) => ({ ...route, operation: `${runs.kind.group}.${verb}` }));
}

function get(runs: Runs, call: Call): Answer {
  return jsonAnswer(200, runs.render(runs.collection.find(pathParameter(call, 'id'))));
}

function list(runs: Runs, call: Call): Answer {
  const found = runs.collection.all().filter((run) => isWanted(run, call));
  return jsonAnswer(200, pageOf(call, found, runs.render));
}

function remove(runs: Runs, call: Call): Answer {
  const id = pathParameter(call, 'id');
  runs.collection.delete(id);
  return jsonAnswer(200, { id });
}

const filters = [
  ...['batchId', 'extractorId', 'classifierId', 'splitterId', 'workflowId', 'source', 'sourceId'],
];

function isWanted({ status, facts }: Run, call: Call): boolean {
  const wantedStatus = queryParameter(call, 'status');
  if (wantedStatus !== undefined && wantedStatus !== status) return false;
  const part = queryParameter(call, 'fileNameContains');
  if (part !== undefined && !(facts.get('fileName') ?? '').includes(part)) return false;
  return filters.every((name) => {
    const wanted = queryParameter(call, name);
    return wanted === undefined || wanted === facts.get(name);
  });
}

/** The metadata of a request; null where there are none. */
export function metadataIn({ metadata }: JsonObject): JsonObject | null {
  if (metadata === undefined || metadata === null) return null;
  if (isObject(metadata)) return metadata;
  throw new Refused(400, 'metadata must be an object');
}

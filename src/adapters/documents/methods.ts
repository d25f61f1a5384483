/**
 * Methods derived from the table of operations.
 *
 * In: operations and a sender. Out: an object in which the id `extractors.versions.create` is the
 * method `create` of `extractors.versions`; beside every `list` stands an `iterate`, in every
 * `…Runs` with a `get` a `poll` and a `createAndPoll`. An interface gives it its type.
 * Arguments: path parameters in path order; the body, if the caller gives one; query parameters in
 * one object, if there are any; options of the call.
 */
import { invalidArgument } from '../http/api-error.js';
import type { SendArguments } from '../http/call.js';
import type { Clock } from '../http/clock.js';
import { createDeadlines } from '../http/deadlines.js';
import type { CallOptions } from '../http/options.js';
import { pathOf } from '../http/path-segments.js';
import type { Sender } from '../http/send.js';
import type { UploadSource } from './file-source.js';
import { iteratePages, type PageQuery } from './iterate.js';
import {
  currentForms,
  type DocumentOperation,
  documentOperations,
  type Wire,
} from './operations.js';
import { createPoller } from './poll.js';
import { secretsIn } from './secrets.js';
import { type UploadOptions, uploadArguments } from './upload.js';

type Method = (...given: unknown[]) => unknown;
type Call = (...given: unknown[]) => Promise<unknown>;
interface Group {
  [name: string]: Method | Group;
}

export function createMethods(
  sender: Sender,
  wire: Wire,
  clock: Clock,
  onUse: (operation: DocumentOperation) => void,
): object {
  const root: Group = {};
  const deadlines = createDeadlines(clock);
  for (const operation of documentOperations) {
    const names = operation.id.split('.');
    const last = names.pop() as string;
    const group = names.reduce(groupIn, root);
    const call = callOf(operation, senderFor(operation, sender, wire, onUse));
    group[last] = call;
    if (last === 'list') group.iterate = iterator(operation, call);
    if (last === 'get' && names[0]?.endsWith('Runs')) {
      Object.assign(group, createPoller(operation, call, group.create as Call, deadlines));
    }
  }
  return root;
}

function groupIn(outer: Group, name: string): Group {
  outer[name] ??= {};
  return outer[name] as Group;
}

const namesIn = (path: string): string[] => path.match(/\w+(?=})/g) ?? [];

type Send = (given: SendArguments, options: unknown) => Promise<unknown>;

/** Sends in the form of the wire. A path may leave parameters out there: they are checked anyway. */
function senderFor(
  operation: DocumentOperation,
  sender: Sender,
  wire: Wire,
  onUse: (operation: DocumentOperation) => void,
): Send {
  const { id, path } = operation;
  const form = wire === 'current' ? currentForms[id] : undefined;
  const sent = { ...operation, ...form };
  const places = namesIn(sent.path).map((name) => namesIn(path).indexOf(name));
  return async (given, options) => {
    if (form === null) throw invalidArgument(id, '', 'api/not-in-wire');
    onUse(operation);
    if (form?.path) pathOf(operation, given.path);
    const kept = places.map((place) => given.path?.[place]);
    return sender.send(sent, { ...given, path: kept }, options as CallOptions | undefined);
  };
}

function callOf({ id, path, body, emptyBody, query }: DocumentOperation, send: Send): Call {
  if (body === 'multipart') {
    return async (source, about, options) =>
      send(await uploadArguments(id, source as UploadSource, about as UploadOptions), options);
  }
  const inPath = namesIn(path);
  return (...given) => {
    const call: Record<string, unknown> = { path: inPath.map(() => given.shift()) };
    if (body && !emptyBody) {
      call.body = given.shift();
      call.secrets = secretsIn(call.body);
    }
    if (query) call.query = given.shift();
    return send(call, given[0]);
  };
}

/** Query parameters stand behind those of the path. */
function iterator({ id, path }: DocumentOperation, list: Call): Method {
  return (...given) => {
    const ids = namesIn(path).map(() => given.shift());
    const [query, options] = given as [PageQuery | undefined, unknown];
    return iteratePages(id, query, (page) => list(...ids, page, options));
  };
}

/**
 * Methods derived from the table of operations.
 *
 * In: operations and a sender. Out: an object in which the id `extractors.versions.create` is the
 * method `create` of `extractors.versions`; beside every `list` stands an `iterate`, in every
 * `…Runs` with a `get` a `poll` and a `createAndPoll`. An interface gives it its type.
 * Arguments: path parameters in path order; the body, if the caller gives one; query parameters in
 * one object, if there are any; options of the call.
 */
import { ApiError } from '../http/api-error.js';
import type { SendArguments } from '../http/call.js';
import type { Clock } from '../http/clock.js';
import type { CallOptions } from '../http/options.js';
import { pathOf } from '../http/path-segments.js';
import type { Sender } from '../http/send.js';
import type { UploadSource } from './file-source.js';
import { iteratePages, type List } from './iterate.js';
import {
  currentForms,
  type DocumentOperation,
  documentOperations,
  type Wire,
} from './operations.js';
import { createPoller } from './poll.js';
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
  for (const operation of documentOperations) {
    const names = operation.id.split('.');
    const last = names.pop() as string;
    const group = names.reduce(groupIn, root);
    const call = callOf(operation, senderFor(operation, sender, wire, onUse));
    group[last] = call;
    if (last === 'list') group.iterate = iterator(operation, call);
    if (last === 'get' && names[0]?.endsWith('Runs')) {
      Object.assign(group, createPoller(operation, call, group.create as Call, clock));
    }
  }
  return root;
}

function groupIn(outer: Group, name: string): Group {
  outer[name] ??= {};
  return outer[name] as Group;
}

type Send = (given: SendArguments, options?: CallOptions) => Promise<unknown>;

function senderFor(
  operation: DocumentOperation,
  sender: Sender,
  wire: Wire,
  onUse: (operation: DocumentOperation) => void,
): Send {
  const form = wire === 'current' ? currentForms[operation.id] : undefined;
  const sent = form ? { ...operation, ...form } : operation;
  // Path parameters that the form of today leaves out are checked nevertheless.
  const kept = namesIn(operation.path).map((name) => namesIn(sent.path).includes(name));
  return async (given, options) => {
    if (form === null) throw removed(operation);
    onUse(operation);
    if (sent.path === operation.path) return sender.send(sent, given, options);
    pathOf(operation, given.path);
    const path = given.path?.filter((_, index) => kept[index]) ?? [];
    return sender.send(sent, { ...given, path }, options);
  };
}

const namesIn = (path: string): string[] => path.match(/[^{]+(?=})/g) ?? [];

function removed({ id }: DocumentOperation): ApiError {
  return new ApiError({ code: 'api/not-in-wire', operation: id, outcome: 'not-sent' });
}

function callOf(operation: DocumentOperation, send: Send): Call {
  if (operation.body === 'multipart') return uploader(operation, send);
  const pathLength = namesIn(operation.path).length;
  const takesBody = operation.body !== undefined && !operation.emptyBody;
  return (...given) => {
    let next = pathLength;
    const body = takesBody ? given[next++] : undefined;
    const query = operation.query === undefined ? undefined : given[next++];
    return send(
      { path: padded(given, pathLength), body, query } as SendArguments,
      given[next] as CallOptions | undefined,
    );
  };
}

function uploader({ id }: DocumentOperation, send: Send): Call {
  return async (source, about, options) =>
    send(
      await uploadArguments(id, source as UploadSource, about as UploadOptions | undefined),
      options as CallOptions | undefined,
    );
}

/** Query parameters stand behind those of the path. */
function iterator({ id, path }: DocumentOperation, list: Call): Method {
  const index = namesIn(path).length;
  return (...given) => {
    const query = given[index] as { readonly nextPageToken?: unknown } | undefined;
    const [ids, behind] = [given.slice(0, index), given.slice(index + 1)];
    return iteratePages(id, query?.nextPageToken, (token) => {
      const asked = token ? { ...query, nextPageToken: token } : query;
      return list(...padded(ids, index), asked, ...behind) as Promise<List>;
    });
  };
}

const padded = (given: readonly unknown[], length: number): unknown[] =>
  Array.from({ length }, (_, index) => given[index]);

/** What an apiRequest node calls; an address or a method that is missing is asked for. */

import { diagnose } from '../../diagnostics/diagnose.js';
import { child } from '../ir/ids.js';
import type { JsonObject } from '../ir/json.js';
import { fromSource, type Traced, traced } from '../ir/provenance.js';
import type { Request, RequestMethod, ResponseVariable } from '../ir/workflow.js';
import { authenticates, listSecrets } from './auth-headers.js';
import {
  noteUnknownFields,
  readNumber,
  readObject,
  readObjects,
  readString,
  requireString,
  type Source,
  type UnknownField,
} from './fields.js';
import { sortKeys } from './sort-keys.js';
import { textAt, textsWithin } from './texts.js';
import { checkSetOnce, checkVariableName } from './variable-names.js';

export const requestFields = [
  'url',
  'method',
  'headers',
  'body',
  'timeoutSeconds',
  'responseVariables',
] as const;

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
export const aliasKey = /^[A-Za-z][A-Za-z0-9_]{0,39}$/;
export const responsePath =
  /^(?:\$\.?)?(?:[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])(?:\.[\p{L}_][\p{L}\p{N}_-]*|\[\d+\])*$/u;
const responseFields = new Set(['name', 'type', 'description', 'path']);

export function readRequest(source: Source, unknown: UnknownField[]): Request {
  const url = readString(source, 'url');
  const headers = readObject(source, 'headers');
  const body = readObject(source, 'body');
  const timeoutSeconds = readTimeout(source);
  const from = <T>(field: string, value: T | null): Traced<T> | null =>
    value === null ? null : traced(value, fromSource(child(source.at, field)));
  checkSecrets(source, headers);
  return {
    url: from('url', url),
    method: from('method', readMethod(source)),
    headers: from('headers', headers && (sortKeys(headers) as JsonObject)),
    body: from('body', body && sortKeys(body)),
    timeoutSeconds: from('timeoutSeconds', timeoutSeconds),
    credentialId: null,
    operation: null,
    responses: readResponses(source, unknown),
    responseSchema: null,
    toolName: null,
    description: null,
    statics: [],
    passed: [],
    furtherTexts: [],
    texts: [
      ...(url === null ? [] : [textAt(url, child(source.at, 'url'), source.faults)]),
      ...textsWithin(headers, child(source.at, 'headers'), source.faults),
      ...textsWithin(body, child(source.at, 'body'), source.faults),
    ],
    authenticated: authenticates(headers),
  };
}

function readMethod(source: Source): RequestMethod | null {
  const method = readString(source, 'method');
  if (method === null) return null;
  const upper = method.toUpperCase();
  if (methods.includes(upper)) return upper as RequestMethod;
  source.faults.push(diagnose('shape/unknown-method', child(source.at, 'method'), { method }));
  return null;
}

/** The platform waits between one second and five minutes. */
function readTimeout(source: Source): number | null {
  const seconds = readNumber(source, 'timeoutSeconds');
  if (seconds === null || (seconds >= 1 && seconds <= 300)) return seconds;
  const args = {
    field: 'timeoutSeconds',
    expected: 'a number from 1 to 300',
    found: String(seconds),
  };
  source.faults.push(diagnose('shape/wrong-type', child(source.at, 'timeoutSeconds'), args));
  return null;
}

function readResponses(source: Source, unknown: UnknownField[]): ResponseVariable[] {
  const variables = readObjects(source, 'responseVariables').flatMap((entry) => {
    const of = 'a response variable';
    const name = requireString(entry, 'name', of);
    const path = requireString(entry, 'path', of);
    noteUnknownFields(entry, responseFields, unknown);
    if (name === null || path === null) return [];
    const at = child(entry.at, 'name');
    checkVariableName(name, at, entry.faults);
    // The name becomes the key of an alias, so it must be a legal one (spec/3, "Limits").
    if (!aliasKey.test(name)) entry.faults.push(diagnose('data/alias-key', at, { variable: name }));
    if (!responsePath.test(path)) {
      entry.faults.push(diagnose('shape/response-path', child(entry.at, 'path'), { path }));
    }
    return [
      {
        name,
        path: path.replace(/^\$\.?/, ''),
        value: null,
        at: entry.at,
        sourceAt: child(entry.at, 'path'),
      },
    ];
  });
  checkSetOnce(variables, source.faults);
  return variables;
}

/** A literal in a header that authenticates is a secret in plain sight. */
export function checkSecrets(source: Source, headers: JsonObject | null): void {
  for (const { name, path } of listSecrets(headers)) {
    const at = path.reduce(child, child(source.at, 'headers'));
    source.faults.push(diagnose('data/literal-secret', at, { header: name }));
  }
}

/** unknown → the document to check: whatever the caller handed over, as JSON. */
import { checkJson } from '../compiler/1-read/json-value.js';
import { isJsonObject, type Json, type JsonObject } from '../compiler/ir/json.js';
import type { Diagnostic } from '../compiler/ir/result.js';
import { diagnose } from '../diagnostics/diagnose.js';

export interface ReadDocument {
  /** Empty where there is no squad to check. */
  readonly document: JsonObject;
  readonly diagnostics: readonly Diagnostic[];
}

/** Texts of a squad may be longer than those of a workflow: a prompt holds many of those. */
export function readDocument(squad: unknown): ReadDocument {
  const faults = checkJson(squad).filter(({ fault }) => fault !== 'text-too-long');
  if (faults.length > 0) return refuse('something that is not JSON');
  const document = squad as Json;
  if (!isJsonObject(document)) return refuse(nameOf(document));
  const members = isJsonObject(document['squad'])
    ? document['squad']['members']
    : document['members'];
  if (Array.isArray(members)) return { document, diagnostics: [] };
  return { document, diagnostics: [notASquad(likenessOf(document))] };
}

function refuse(looksLike: string): ReadDocument {
  return { document: {}, diagnostics: [notASquad(looksLike)] };
}

function notASquad(looksLike: string): Diagnostic {
  return diagnose('check/not-a-squad', '', { looksLike }, { in: 'squad' });
}

function nameOf(document: Json): string {
  if (document === null) return 'null';
  return Array.isArray(document) ? 'a list' : `a ${typeof document}`;
}

function likenessOf(document: JsonObject): string {
  return Array.isArray(document['nodes']) ? 'a workflow' : 'an object without members';
}

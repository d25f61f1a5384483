/**
 * What a document is that has no nodes and is no workflow: other things that the platform's API
 * returns or takes, named so that whoever gave the wrong file knows.
 */
import { isJsonObject, type JsonObject } from '../ir/json.js';

/** What the document is; null where it may be a workflow. */
export function nameForeign(document: JsonObject): string | null {
  const has = (field: string) => document[field] !== undefined;
  if (has('nodes') || isJsonObject(document['workflow'])) return null;
  if (Array.isArray(document['members']) || isJsonObject(document['squad'])) return 'a squad';
  if (has('assistantId') || has('squadId') || has('workflowId')) return 'a call, or a phone number';
  if (isJsonObject(document['model']) || isJsonObject(document['assistant'])) return 'an assistant';
  if (isJsonObject(document['function']) || Array.isArray(document['destinations']))
    return 'a tool';
  if (has('$schema') || has('openapi')) return 'a schema';
  return null;
}

/**
 * Validators of the bodies of the documents service, by operation: what a client's `validate` works
 * with.
 *
 * In: a body. Out: findings, each a JSON Pointer into the body and what is wrong there; none when it
 * is right. They stand apart from the client, which is complete without them.
 */
import { schemaDocuments } from '../../schemas/documents-documents.generated.js';
import {
  type SchemaFault,
  validateDocuments,
} from '../../schemas/documents-validators.generated.js';
import type { Validator, Validators } from '../http/call.js';
import { documentOperations } from './operations.js';

/** The JSON Schema of what goes out and comes back, by operation id (draft 2020-12). */
export const documentsSchema = schemaDocuments['documents'] as Readonly<Record<string, unknown>>;

export const documentsValidators: Readonly<Record<string, Validators>> = Object.fromEntries(
  documentOperations.map(({ id, body, answer }) => [
    id,
    {
      ...(body === 'json' && { request: validatorOf(id, 'request') }),
      response: answer === 'nothing' ? unlessAbsent(id) : validatorOf(id, 'response'),
    },
  ]),
);

function validatorOf(id: string, side: 'request' | 'response'): Validator {
  const place = `/${id}/${side}`;
  return (body = {}) => {
    if (validateDocuments({ [id]: { [side]: body } })) return [];
    return (validateDocuments.errors ?? []).map((fault) => lineOf(fault, place));
  };
}

function unlessAbsent(id: string): Validator {
  const validator = validatorOf(id, 'response');
  return (body) => (body === undefined ? [] : validator(body));
}

function lineOf({ instancePath, message = 'is not valid' }: SchemaFault, place: string): string {
  const pointer = instancePath.slice(place.length);
  return pointer === '' ? `body ${message}` : `${pointer} ${message}`;
}

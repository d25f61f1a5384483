/**
 * Schema, validators and texts of the documents service, by operation: what the client is complete
 * without.
 *
 * A validator takes a body and gives findings, each a JSON Pointer into the body and what is wrong
 * there; none when it is right. The texts are those of the schema, where they stand beside the shapes
 * that they are about.
 */
import { schemaDocuments } from '../../schemas/documents-documents.generated.js';
import { validateDocuments } from '../../schemas/documents-validators.generated.js';
import type { Validator, Validators } from '../http/request.js';
import { documentOperations } from './operations.js';

/** The JSON Schema of what goes out and comes back, by operation id (draft 2020-12). */
export const documentsSchema = schemaDocuments['documents'] as Readonly<Record<string, unknown>>;

export const documentsValidators: Readonly<Record<string, Validators>> = Object.fromEntries(
  documentOperations.map(({ id, body, answer }) => {
    const response = validatorOf(id, 'response');
    const optional: Validator = (given) => (given === undefined ? [] : response(given));
    const request = body === 'json' && { request: validatorOf(id, 'request') };
    return [id, { ...request, response: answer === 'nothing' ? optional : response }];
  }),
);

function validatorOf(id: string, side: 'request' | 'response'): Validator {
  return (body = {}) => {
    if (validateDocuments({ [id]: { [side]: body } })) return [];
    return (validateDocuments.errors ?? []).map(({ instancePath, message = 'is not valid' }) => {
      const pointer = instancePath.slice(`/${id}/${side}`.length);
      return `${pointer || 'body'} ${message}`;
    });
  };
}

export interface DocumentOperationText {
  readonly description: string;
  /** By name, those in the path first. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

/** For documentation and for whoever chooses among the operations. */
export const documentsTexts: Readonly<Record<string, DocumentOperationText>> = Object.fromEntries(
  documentOperations.map(({ id }) => {
    const operation = (documentsSchema as Described).properties?.[id];
    const parameters = resolved(operation?.properties?.['parameters'])?.properties ?? {};
    const texts = Object.entries(parameters).map(([name, parameter]) => [
      name,
      resolved(parameter)?.description ?? '',
    ]);
    const description = operation?.description ?? '';
    return [id, { description, parameters: Object.fromEntries(texts) }];
  }),
);

/** References lead to definitions of the same schema. */
function resolved(described: Described | undefined): Described | undefined {
  const name = described?.$ref?.split('/').at(-1);
  const definitions = documentsSchema['$defs'] as Readonly<Record<string, Described>>;
  return name === undefined ? described : definitions[name];
}

/**
 * Validators of the bodies of the bills service, by operation: what a client's `validate` works with.
 *
 * In: a body. Out: findings, each a JSON Pointer into the body and what is wrong there; none when it
 * is right. They stand apart from the client, which is complete without them.
 */
import { schemaDocuments } from '../../schemas/bills-documents.generated.js';
import { type SchemaFault, validateBills } from '../../schemas/bills-validators.generated.js';
import type { Validator, Validators } from '../http/request.js';
import { type BillsOperationId, billsOperations } from './operations.js';

/** The JSON Schema of what goes out and comes back, by operation id (draft 2020-12). */
export const billsSchema = schemaDocuments['bills'] as Readonly<Record<string, unknown>>;

export const billsValidators = Object.fromEntries(
  Object.values(billsOperations).map((operation) => [
    operation.id,
    {
      ...('body' in operation && { request: validatorOf(operation.id, 'request') }),
      response: validatorOf(operation.id, 'response'),
    },
  ]),
) as Readonly<Record<BillsOperationId, Validators>>;

function validatorOf(id: BillsOperationId, side: 'request' | 'response'): Validator {
  const place = `/${id}/${side}`;
  return (body) => {
    if (validateBills({ [id]: { [side]: body } })) return [];
    return (validateBills.errors ?? []).map((fault) => lineOf(fault, place));
  };
}

function lineOf({ instancePath, message = 'is not valid' }: SchemaFault, place: string): string {
  const pointer = instancePath.slice(place.length);
  return pointer === '' ? `body ${message}` : `${pointer} ${message}`;
}

/** Schema, validators and texts of the bills service, by operation: for whoever wants to check. */
import { schemaDocuments } from '../../schemas/bills-documents.generated.js';
import { validateBills } from '../../schemas/bills-validators.generated.js';
import { textsOf, validatorsOf } from '../documents/describe.js';
import { billsOperations } from './operations.js';

const operations = Object.values(billsOperations);

/** The JSON Schema of what goes out and comes back, by operation id (draft 2020-12). */
export const billsSchema = schemaDocuments['bills'] as Readonly<Record<string, unknown>>;

/** Findings about a body, by operation id. */
export const billsValidators = validatorsOf(operations, validateBills);

/** What the operations are for, by id. */
export const billsTexts = textsOf(operations, billsSchema);

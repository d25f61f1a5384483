/** Schema, validators and texts of the bills service, for callers who want to check bodies. */
import { schemaDocuments } from '../../schemas/bills-documents.generated.js';
import { validateBills } from '../../schemas/bills-validators.generated.js';
import { textsOf, validatorsOf } from '../documents/describe.js';
import { billsOperations } from './operations.js';

const operations = Object.values(billsOperations);

/** The JSON Schema (draft 2020-12) of requests and responses, by operation id. */
export const billsSchema = schemaDocuments['bills'] as Readonly<Record<string, unknown>>;

/** Validators of bodies, by operation id. */
export const billsValidators = validatorsOf(operations, validateBills);

/** What each operation is for, by operation id. */
export const billsTexts = textsOf(operations, billsSchema);

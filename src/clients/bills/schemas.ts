/** Schema, validators and texts of the bills service, for callers who want to check bodies. */
import { billsSchema as document } from '../../schemas/bills-document.generated.js';
import { validateBills } from '../../schemas/bills-validator.generated.js';
import { textsOf, validatorsOf } from '../documents/describe.js';
import { billsOperations } from './operations.js';

const operations = Object.values(billsOperations);

/** The JSON Schema (draft 2020-12) of requests and responses, by operation id. */
export const billsSchema: Readonly<Record<string, unknown>> = document;

/** Validators of bodies, by operation id. */
export const billsValidators = validatorsOf(operations, validateBills);

/** What each operation is for, by operation id. */
export const billsTexts = textsOf(operations, billsSchema);

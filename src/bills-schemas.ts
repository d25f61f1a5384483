/** `squadc/bills/schemas`: schema, validators and texts of the bills service, by operation id. */
export { billsSchema, billsTexts, billsValidators } from './adapters/bills/schemas.js';
export type { OperationText } from './adapters/documents/describe.js';
export type { Validator, Validators } from './adapters/http/operation.js';

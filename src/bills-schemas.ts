/** `squadc/bills/schemas`: schema, validators and texts of the bills service, by operation id. */
export { billsSchema, billsTexts, billsValidators } from './clients/bills/schemas.js';
export type { OperationText } from './clients/documents/describe.js';
export type { Validator, Validators } from './clients/http/operation.js';

/** `squadc/bills/schemas`: schemas, validators and texts of the bills service, by operation id. */
export { billsTexts, type OperationText } from './adapters/bills/texts.js';
export { billsSchema, billsValidators } from './adapters/bills/validators.js';

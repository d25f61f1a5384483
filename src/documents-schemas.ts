/**
 * `squadc/documents/schemas`: what the client of the documents service can do without: schemas,
 * validators and texts by operation id; and schemas for extraction: their rules, how they are made,
 * how outputs of either age are read.
 */

export type { OperationText } from './clients/documents/describe.js';
export {
  type ExtractionFinding,
  type ExtractionSchemaOptions,
  type FindingCode,
  lintExtractionSchema,
  type Severity,
} from './clients/documents/extraction-schema.js';
export {
  type Extraction,
  type ReadExtractionOptions,
  readExtraction,
} from './clients/documents/legacy-extraction.js';
export {
  documentsSchema,
  documentsTexts,
  documentsValidators,
} from './clients/documents/schemas.js';
export {
  type ExtractionObject,
  type ExtractionVariable,
  toExtractionSchema,
} from './clients/documents/to-extraction-schema.js';
export type { Validator, Validators } from './clients/http/operation.js';

/**
 * `squadc/documents/schemas`: what the client of the documents service can do without: schemas,
 * validators and texts by operation id; and schemas for extraction: their rules, how they are made,
 * how outputs of either age are read.
 */

export type { OperationText } from './adapters/documents/describe.js';
export {
  type ExtractionFinding,
  type ExtractionSchemaOptions,
  type FindingCode,
  lintExtractionSchema,
  type Severity,
} from './adapters/documents/extraction-schema.js';
export {
  type Extraction,
  type ReadExtractionOptions,
  readExtraction,
} from './adapters/documents/legacy-extraction.js';
export {
  documentsSchema,
  documentsTexts,
  documentsValidators,
} from './adapters/documents/schemas.js';
export {
  type ExtractionObject,
  type ExtractionVariable,
  toExtractionSchema,
} from './adapters/documents/to-extraction-schema.js';
export type { Validator, Validators } from './adapters/http/operation.js';

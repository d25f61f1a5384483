/**
 * `squadc/documents/schemas`: what the client of the documents service can do without: schemas,
 * validators and texts by operation id; and schemas for extraction: their rules, how they are made,
 * how outputs of either age are read.
 */

export type { OperationText } from './adapters/documents/describe.js';
export type {
  ExtractionFinding,
  FindingCode,
  Severity,
} from './adapters/documents/extraction-schema/finding.js';
export {
  type ExtractionSchemaOptions,
  lintExtractionSchema,
} from './adapters/documents/extraction-schema/lint.js';
export {
  type ExtractionObject,
  type ExtractionVariable,
  toExtractionSchema,
} from './adapters/documents/extraction-schema/to-schema.js';
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
export type { Validator, Validators } from './adapters/http/operation.js';

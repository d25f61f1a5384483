/** Schema, validators and texts of the documents service, by operation: for whoever wants to check. */
import { schemaDocuments } from '../../schemas/documents-documents.generated.js';
import { validateDocuments } from '../../schemas/documents-validators.generated.js';
import { textsOf, validatorsOf } from './describe.js';
import { documentOperations } from './operations.js';

/** The JSON Schema of what goes out and comes back, by operation id (draft 2020-12). */
export const documentsSchema = schemaDocuments['documents'] as Readonly<Record<string, unknown>>;

/** Findings about a body, by operation id. */
export const documentsValidators = validatorsOf(documentOperations, validateDocuments);

/** What the operations are for, by id. */
export const documentsTexts = textsOf(documentOperations, documentsSchema);

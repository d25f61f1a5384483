/** Schema, validators and texts of the documents service, for callers who want to check bodies. */
import { schemaDocuments } from '../../schemas/documents-documents.generated.js';
import { validateDocuments } from '../../schemas/documents-validators.generated.js';
import { textsOf, validatorsOf } from './describe.js';
import { documentOperations } from './operations.js';

/** The JSON Schema (draft 2020-12) of requests and responses, by operation id. */
export const documentsSchema = schemaDocuments['documents'] as Readonly<Record<string, unknown>>;

/** Validators of bodies, by operation id. */
export const documentsValidators = validatorsOf(documentOperations, validateDocuments);

/** What each operation is for, by operation id. */
export const documentsTexts = textsOf(documentOperations, documentsSchema);

/** Schema, validators and texts of the documents service, for callers who want to check bodies. */
import { documentsSchema as document } from '../../schemas/documents-document.generated.js';
import { validateDocuments } from '../../schemas/documents-validator.generated.js';
import { textsOf, validatorsOf } from './describe.js';
import { documentOperations } from './operations.js';

/** The JSON Schema (draft 2020-12) of requests and responses, by operation id. */
export const documentsSchema: Readonly<Record<string, unknown>> = document;

/** Validators of bodies, by operation id. */
export const documentsValidators = validatorsOf(documentOperations, validateDocuments);

/** What each operation is for, by operation id. */
export const documentsTexts = textsOf(documentOperations, documentsSchema);

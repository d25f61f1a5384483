/**
 * What the operations of the documents service are for, in words; under the ids of their table.
 *
 * For documentation and for whoever chooses among them. A client has no use for them. The words
 * stand in the schema, beside the shapes that they are about.
 */
import { documentOperations } from './operations.js';
import { documentsSchema } from './validators.js';

export interface DocumentOperationText {
  readonly description: string;
  /** By name, those in the path first. */
  readonly parameters: Readonly<Record<string, string>>;
}

interface Described {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Described>>;
}

export const documentsTexts: Readonly<Record<string, DocumentOperationText>> = Object.fromEntries(
  documentOperations.map(({ id }) => [id, textOf(id)]),
);

function textOf(id: string): DocumentOperationText {
  const operation = (documentsSchema as Described).properties?.[id];
  const parameters = resolved(operation?.properties?.['parameters'])?.properties ?? {};
  return {
    description: operation?.description ?? '',
    parameters: Object.fromEntries(
      Object.entries(parameters).map(([name, parameter]) => [
        name,
        resolved(parameter)?.description ?? '',
      ]),
    ),
  };
}

/** References lead to definitions of the same schema. */
function resolved(described: Described | undefined): Described | undefined {
  const name = described?.$ref?.split('/').at(-1);
  const definitions = documentsSchema['$defs'] as Readonly<Record<string, Described>>;
  return name === undefined ? described : definitions[name];
}

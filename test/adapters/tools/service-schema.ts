/** The schemas of both services, as a test walks through them. */
import type { ToolDefinition } from '../../../src/adapters/tools/table.js';
import { billsSchema, billsValidators } from '../../../src/bills-schemas.js';
import { documentsSchema, documentsValidators } from '../../../src/documents-schemas.js';

export interface Part {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly required?: readonly string[];
  readonly items?: Part;
  readonly anyOf?: readonly Part[];
  readonly oneOf?: readonly Part[];
  readonly allOf?: readonly Part[];
  readonly enum?: readonly unknown[];
}

type Side = 'parameters' | 'request' | 'response';

const isOfBills = ({ operation }: ToolDefinition) => operation.startsWith('bills.');

/** The id under which the service's own schema has the operation. */
function idOf({ operation }: ToolDefinition): string {
  return operation.replace(/^documents\./, '');
}

function schemaOf(tool: ToolDefinition): { $defs: Record<string, Part> } & Part {
  return (isOfBills(tool) ? billsSchema : documentsSchema) as never;
}

/** All forms that a part may have, references followed and choices spread. */
function formsOf(tool: ToolDefinition, part: Part | undefined): Part[] {
  if (part === undefined) return [];
  const target = part.$ref?.split('/').at(-1);
  const referred = target === undefined ? [] : formsOf(tool, schemaOf(tool).$defs[target]);
  const choices = [part.anyOf, part.oneOf, part.allOf].flatMap((each) => each ?? []);
  return [part, ...referred, ...choices.flatMap((each) => formsOf(tool, each))];
}

export function formsOfSide(tool: ToolDefinition, side: Side): Part[] {
  return formsOf(tool, schemaOf(tool).properties?.[idOf(tool)]?.properties?.[side]);
}

/** What stands under a key (`*` or a number: an entry of a list). */
export function formsBelow(tool: ToolDefinition, forms: readonly Part[], key: string): Part[] {
  return forms.flatMap(({ properties, items }) =>
    formsOf(tool, /^(?:\*|\d+)$/.test(key) ? items : properties?.[key]),
  );
}

export function formsAt(tool: ToolDefinition, side: Side, pointer: string): Part[] {
  return pointer
    .split('/')
    .slice(1)
    .reduce((forms, key) => formsBelow(tool, forms, key), formsOfSide(tool, side));
}

export function typesOf(forms: readonly Part[]): string[] {
  const types = forms.flatMap(({ type = [] }) => type).filter((type) => type !== 'null');
  return [...new Set(types)].sort();
}

/** What is wrong with a body, in the words of the service's validator. */
export function faultsOfBody(tool: ToolDefinition, body: unknown): readonly string[] {
  const validators = isOfBills(tool) ? billsValidators : documentsValidators;
  const request = (validators as typeof documentsValidators)[idOf(tool)]?.request;
  return request?.(body) ?? (body === undefined ? [] : ['there is no body']);
}

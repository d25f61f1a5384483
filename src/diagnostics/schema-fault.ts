/** What a schema finds wrong, as half a sentence: “value/url must be a text”. */
import { isJsonObject, type Json } from '../compiler/ir/json.js';
import type { SchemaFault } from '../schemas/validators.generated.js';
import { kindInWords } from './catalogue/words.js';
import { quote, quoteAll } from './quote.js';

/** These only repeat that something below them failed. */
const echoes: ReadonlySet<string> = new Set(['if', 'anyOf', 'oneOf', 'allOf']);

/** The faults that say something by themselves; all, where none does. */
export function soleFaults(faults: readonly SchemaFault[]): readonly SchemaFault[] {
  const sole = faults.filter(({ keyword }) => !echoes.has(keyword));
  return sole.length === 0 ? faults : sole;
}

/**
 * The first fault in words; `whole` names what was checked. `document` is the schema that found
 * it: where a text does not match a pattern, the description beside the pattern says what was
 * expected.
 */
export function faultInWords(
  faults: readonly SchemaFault[],
  document?: Json,
  whole = 'the value',
): string {
  const [fault] = soleFaults(faults);
  if (fault === undefined) return `${whole} does not fit`;
  const place = fault.instancePath.replace(/^\//, '') || whole;
  return `${place} ${predicate(fault, document)}`;
}

function predicate(fault: SchemaFault, document: Json | undefined): string {
  const { keyword, params } = fault;
  switch (keyword) {
    case 'type':
      return `must be ${kindInWords(String(params.type))}`;
    case 'required':
      return `must have ${quote(String(params.missingProperty))}`;
    case 'additionalProperties':
      return `must not have ${quote(String(params.additionalProperty))}`;
    case 'enum':
      return `must be ${quoteAll(namesIn(params.allowedValues), 'or')}`;
    case 'const':
      return `must be ${quote(String(params.allowedValue))}`;
    case 'minLength':
    case 'minItems':
    case 'minProperties':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit}`;
    case 'maxLength':
      return `must have at most ${params.limit} characters`;
    case 'minimum':
      return `must be at least ${params.limit}`;
    case 'maximum':
      return `must be at most ${params.limit}`;
    case 'uniqueItems':
      return 'must not name anything twice';
    case 'pattern':
      return `must be ${description(fault.schemaPath, document) ?? 'written in another form'}`;
    case 'not':
      return 'must have another value';
    case 'false schema':
      return 'must not be given here';
    default:
      return fault.message ?? 'does not fit';
  }
}

function namesIn(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}

/** The description beside the keyword that a path within the document leads to. */
function description(schemaPath: string, document: Json | undefined): string | null {
  const steps = schemaPath.replace(/^#\//, '').split('/').slice(0, -1);
  let schema = document;
  for (const step of steps) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isJsonObject(schema) || !Object.hasOwn(schema, key)) return null;
    schema = schema[key];
  }
  const found = isJsonObject(schema) ? schema.description : undefined;
  return typeof found === 'string' ? found.charAt(0).toLowerCase() + found.slice(1) : null;
}

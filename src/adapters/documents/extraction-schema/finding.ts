/**
 * Every finding about an extraction schema: its weight, its sentence, and how one is made.
 *
 * `%` stands for the subject, a text of the schema. A code is never renamed: people filter by it.
 * Texts of the schema stand in a message short, in quotes and escaped, so that they can neither flood
 * nor steer what shows it.
 */

export type Severity = 'error' | 'warning' | 'info';

export const catalogue = {
  'extraction/root': ['error', 'The schema itself must be an object: its type must be "object".'],
  'extraction/not-a-schema': ['error', 'Expected a schema, which is an object.'],
  'extraction/malformed': ['error', '% has an invalid value.'],
  'extraction/duplicate': ['error', '% appears in this list twice.'],
  'extraction/type': [
    'error',
    'The type must be string, number, integer or boolean, each with null, or object, or array.',
  ],
  'extraction/not-nullable': ['error', 'A scalar field can be missing: add "null" to its type.'],
  'extraction/nullable-container': [
    'error',
    'Objects and arrays cannot be null: use a single type.',
  ],
  'extraction/items': ['error', 'An array needs one schema for its items, an object or a scalar.'],
  'extraction/too-deep': ['error', 'This object is nested more than 5 levels deep.'],
  'extraction/property-name': [
    'error',
    '% may only contain letters, digits, underscores and hyphens.',
  ],
  'extraction/properties': ['error', 'An object must list its properties.'],
  'extraction/required': ['error', 'An object must require all of its properties; missing: %.'],
  'extraction/required-unknown': ['error', 'The required property % does not exist.'],
  'extraction/additional-properties': [
    'error',
    'An object must set additionalProperties to false.',
  ],
  'extraction/enum-null': ['error', 'Choices must include null.'],
  'extraction/enum-value': ['error', 'Choices must be texts, and null.'],
  'extraction/enum-type': ['error', 'Only a string can have choices.'],
  'extraction/unsupported': ['error', '% is not supported.'],
  'extraction/special-type': ['error', '% must be "date", "currency" or "signature".'],
  'extraction/date': ['error', 'A date must be a string.'],
  'extraction/currency': [
    'error',
    'A currency is an object with its own properties; missing or wrong: %.',
  ],
  'extraction/signature': [
    'error',
    'A signature is an object with its own properties; missing or wrong: %.',
  ],
  'extraction/descriptions-alone': ['error', '% describes choices, so enum is required.'],
  'extraction/descriptions-count': ['error', '% must have one entry for each choice but null.'],
  'extraction/extra-part': [
    'warning',
    'Currencies and signatures do not have these properties: %.',
  ],
  'extraction/misplaced': ['warning', '% has no meaning for this type.'],
  'extraction/foreign-keyword': ['warning', '% is not a keyword of the service.'],
  'extraction/unknown-keyword': ['info', '% is not known to have an effect.'],
  'extraction/no-description': ['info', 'A description would guide the extraction.'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>;

export type FindingCode = keyof typeof catalogue;

export interface ExtractionFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  /** JSON Pointer of the place in the schema; the empty text is all of it. */
  readonly at: string;
}

/** Reports one finding; `subject` is the text of the schema that its sentence names. */
export type Find = (code: FindingCode, at: string, subject?: string) => void;

const longest = 60;

/** What could steer a terminal or reorder a line; JSON escapes only controls. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

export function findingsInto(findings: ExtractionFinding[]): Find {
  return (code, at, subject = '') => {
    const [severity, sentence] = catalogue[code];
    const message = sentence.replace('%', () => quote(subject));
    findings.push({ code, severity, message, at });
  };
}

/** The pointer of a member of the value at `base`. */
export function child(base: string, key: string | number): string {
  return `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function quote(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return JSON.stringify(shown).replace(unseen, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

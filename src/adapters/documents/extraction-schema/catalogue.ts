/**
 * Every finding about an extraction schema: its weight and its sentence.
 *
 * `%` stands for the subject, a text of the schema in quotes; a code whose sentence has one cannot
 * be reported without it. A code is never renamed: people filter by it.
 */

export type Severity = 'error' | 'warning' | 'info';

export const catalogue = {
  'extraction/root': ['error', 'The schema itself must be an object: its type must be "object".'],
  'extraction/not-a-schema': ['error', 'A schema must stand here, and a schema is an object.'],
  'extraction/cyclic': ['error', 'The schema holds itself here.'],
  'extraction/too-large': ['error', 'The schema has too many parts; what follows was not read.'],
  'extraction/malformed': ['error', '% has a value of the wrong kind.'],
  'extraction/duplicate': ['error', '% stands in this list twice.'],
  'extraction/type': [
    'error',
    'The type must be string, number, integer or boolean, each with null, or object, or array.',
  ],
  'extraction/not-nullable': ['error', 'A scalar field may be missing: add "null" to its type.'],
  'extraction/nullable-container': [
    'error',
    'Objects and arrays cannot be null: the type is one word.',
  ],
  'extraction/items': [
    'error',
    'An array needs one schema for its items: of an object or a scalar.',
  ],
  'extraction/too-deep': ['error', 'This object stands deeper than level 5.'],
  'extraction/property-name': [
    'error',
    '% may hold nothing but letters, digits, underscores and hyphens.',
  ],
  'extraction/properties': ['error', 'An object must list its properties.'],
  'extraction/required': ['error', 'An object must require all of its properties; missing: %.'],
  'extraction/required-unknown': ['error', 'There is no property % to require.'],
  'extraction/additional-properties': [
    'error',
    'An object must set additionalProperties to false.',
  ],
  'extraction/enum-null': ['error', 'Choices must include null.'],
  'extraction/enum-value': ['error', 'Choices must be texts, and null.'],
  'extraction/enum-type': ['error', 'Only a string has choices.'],
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
  'extraction/descriptions-alone': ['error', '% describes choices: enum must stand beside it.'],
  'extraction/descriptions-count': ['error', '% must have one entry for each choice but null.'],
  'extraction/extra-part': ['warning', 'Currencies and signatures have no such properties: %.'],
  'extraction/misplaced': ['warning', '% says nothing about a value of this type.'],
  'extraction/foreign-keyword': ['warning', '% is no keyword of the service.'],
  'extraction/unknown-keyword': ['info', '% is not known to have an effect.'],
  'extraction/no-description': ['info', 'A description would guide the extraction.'],
} as const satisfies Readonly<Record<string, readonly [Severity, string]>>;

export type FindingCode = keyof typeof catalogue;

/** What a sentence names: nothing, or one text of the schema. */
export type SubjectOf<Code extends FindingCode> =
  (typeof catalogue)[Code][1] extends `${string}%${string}` ? [subject: string] : [];

/**
 * Every finding about an extraction schema: its sentence, its severity, and how it is made.
 *
 * `%` stands for the subject, a text from the schema. Never rename a code: people filter by it.
 * Texts from the schema are shortened, quoted and escaped in messages, so that they can neither
 * flood nor manipulate the display.
 */
export const sentences = {
  'extraction/root': 'The schema itself must be an object: its type must be "object".',
  'extraction/not-a-schema': 'Expected a schema, which is an object.',
  'extraction/malformed': '% has an invalid value.',
  'extraction/duplicate': '% appears in this list twice.',
  'extraction/type':
    'The type must be string, number, integer or boolean, each with null, or object, or array.',
  'extraction/not-nullable': 'A scalar field can be missing: add "null" to its type.',
  'extraction/nullable-container': 'Objects and arrays cannot be null: use a single type.',
  'extraction/items': 'An array needs one schema for its items, an object or a scalar.',
  'extraction/too-deep': 'This object is nested more than 5 levels deep.',
  'extraction/property-name': '% may only contain letters, digits, underscores and hyphens.',
  'extraction/properties': 'An object must list its properties.',
  'extraction/required': 'An object must require all of its properties; missing: %.',
  'extraction/required-unknown': 'The required property % does not exist.',
  'extraction/additional-properties': 'An object must set additionalProperties to false.',
  'extraction/enum-null': 'Choices must include null.',
  'extraction/enum-value': 'Choices must be texts, and null.',
  'extraction/enum-type': 'Only a string can have choices.',
  'extraction/unsupported': '% is not supported.',
  'extraction/special-type': '% must be "date", "currency" or "signature".',
  'extraction/date': 'A date must be a string.',
  'extraction/currency': 'A currency is an object with its own properties; missing or wrong: %.',
  'extraction/signature': 'A signature is an object with its own properties; missing or wrong: %.',
  'extraction/descriptions-alone': '% describes choices, so enum is required.',
  'extraction/descriptions-count': '% must have one entry for each choice but null.',
  'extraction/extra-part': 'Currencies and signatures do not have these properties: %.',
  'extraction/misplaced': '% has no meaning for this type.',
  'extraction/foreign-keyword': '% is not a keyword of the service.',
  'extraction/unknown-keyword': '% is not known to have an effect.',
  'extraction/no-description': 'A description would guide the extraction.',
} as const;

export type FindingCode = keyof typeof sentences;
export type Severity = 'error' | 'warning' | 'info';

/** The severity of codes that are not errors. */
const weights: Readonly<Partial<Record<FindingCode, Severity>>> = {
  'extraction/extra-part': 'warning',
  'extraction/misplaced': 'warning',
  'extraction/foreign-keyword': 'warning',
  'extraction/unknown-keyword': 'info',
  'extraction/no-description': 'info',
};

export interface ExtractionFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  /** JSON Pointer into the schema; the empty string is the whole schema. */
  readonly at: string;
}

/** Reports one finding; `subject` is the schema text that its sentence names. */
export type Find = (code: FindingCode, at: string, subject?: string) => void;

export function findingsInto(findings: ExtractionFinding[]): Find {
  return (code, at, subject = '') => {
    const message = sentences[code].replace('%', () => quoted(subject));
    findings.push({ code, severity: weights[code] ?? 'error', message, at });
  };
}

/** The pointer to a member of the value at `base`. */
export function child(base: string, key: string | number): string {
  return `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Escapes what JSON does not, but could manipulate a terminal or reorder a line. */
function quoted(text: string): string {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return shown.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (each) => `\\u{${each.codePointAt(0)?.toString(16)}}`,
  );
}

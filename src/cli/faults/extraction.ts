/** The findings of `lintExtractionSchema`, as far as their own sentences leave something to say. */
import type { FindingCode } from '../../documents-schemas.js';
import type { Fault } from './fault.js';

const refuses =
  'The documents service takes JSON Schemas of a narrow form only, and refuses a schema of another one as a whole.';
const ignores =
  'The documents service takes the schema all the same, and does not do what this part of it says.';
const guides = 'The service reads the schema to know what to look for in a document.';

/** What the service refuses. */
function wrong(title: string, help: string): Fault {
  return { title, why: refuses, help };
}

export const ofExtraction: Readonly<Record<FindingCode, Fault>> = {
  'extraction/root': wrong('The schema itself is no object', 'Give it the type "object".'),
  'extraction/not-a-schema': wrong(
    'What should be a schema is none',
    'Put an object with a type there.',
  ),
  'extraction/malformed': wrong(
    'A keyword has a value of the wrong kind',
    'Correct the value of the keyword that is named.',
  ),
  'extraction/duplicate': wrong('A list names something twice', 'Leave one of both.'),
  'extraction/type': wrong(
    'The type is none that a field can have',
    'Use string, number, integer or boolean, each in a list with "null", or object, or array.',
  ),
  'extraction/not-nullable': wrong(
    'A field cannot be missing',
    'Write its type as a list with "null", for example ["string", "null"].',
  ),
  'extraction/nullable-container': wrong(
    'An object or an array may be null',
    'Write its type as one word, without "null".',
  ),
  'extraction/items': wrong(
    'An array does not say what it holds',
    'Give it items: one schema, of an object or of a scalar.',
  ),
  'extraction/too-deep': wrong(
    'An object stands deeper than level 5',
    'Move its fields up, or into a schema of their own.',
  ),
  'extraction/property-name': wrong(
    'The name of a property has other signs than it may',
    'Use letters, digits, underscores and hyphens alone.',
  ),
  'extraction/properties': wrong('An object does not list its properties', 'Add properties.'),
  'extraction/required': wrong(
    'An object does not require all of its properties',
    'Name each of them in required; a field that may be missing is null.',
  ),
  'extraction/required-unknown': wrong(
    'A property is required that there is not',
    'Correct the name in required, or add the property.',
  ),
  'extraction/additional-properties': wrong(
    'An object leaves open what else it holds',
    'Set additionalProperties to false.',
  ),
  'extraction/enum-null': wrong('The choices lack null', 'Add null to enum.'),
  'extraction/enum-value': wrong('A choice is no text', 'Write the choices as texts.'),
  'extraction/enum-type': wrong(
    'A field with choices is no string',
    'Give it the type ["string", "null"], or leave out enum.',
  ),
  'extraction/unsupported': wrong(
    'A keyword is not supported',
    'Say it without the keyword, or in the description.',
  ),
  'extraction/special-type': wrong(
    'The special type is none',
    'Use "date", "currency" or "signature".',
  ),
  'extraction/date': wrong('A date is no string', 'Give it the type ["string", "null"].'),
  'extraction/currency': wrong(
    'A currency lacks its parts',
    'Give it the properties amount and iso_4217_currency_code.',
  ),
  'extraction/signature': wrong(
    'A signature lacks its parts',
    'Give it the properties printed_name, signature_date, is_signed and title_or_role.',
  ),
  'extraction/descriptions-alone': wrong(
    'Choices are described, and there are none',
    'Add enum beside the descriptions, or leave them out.',
  ),
  'extraction/descriptions-count': wrong(
    'There are not as many descriptions as choices',
    'Write one description for each choice but null.',
  ),
  'extraction/extra-part': {
    severity: 'warning',
    title: 'A currency or a signature has more parts than it can',
    why: ignores,
    help: 'Leave out the properties that are named.',
  },
  'extraction/misplaced': {
    severity: 'warning',
    title: 'A keyword stands on a type of which it says nothing',
    why: ignores,
    help: 'Leave out the keyword, or correct the type.',
  },
  'extraction/foreign-keyword': {
    severity: 'warning',
    title: 'A keyword belongs to another service',
    why: ignores,
    help: 'Correct the prefix or the name of the keyword.',
  },
  'extraction/unknown-keyword': {
    severity: 'info',
    title: 'A keyword is not known to have an effect',
    why: ignores,
    help: 'Leave it out, unless something else reads it.',
  },
  'extraction/no-description': {
    severity: 'info',
    title: 'A field has no description',
    why: `${guides} The name of a field alone rarely says where it stands and in which form.`,
    help: 'Add a description.',
  },
};

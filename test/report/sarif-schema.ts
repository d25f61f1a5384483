/** Whether a file is SARIF 2.1.0, by the schema of the format as Microsoft publishes it (MIT). */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';

const file = new URL(
  '../../node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json',
  import.meta.url,
);

/** The faults of a document; none where it is valid. */
export function faultsOfSarif(document: unknown): readonly unknown[] {
  validate ??= compileSchema();
  return validate(document) ? [] : (validate.errors ?? []);
}

let validate: ReturnType<typeof compileSchema> | undefined;

function compileSchema() {
  // It uses nothing of draft 4 that draft 7 reads otherwise, but for its own name.
  const { id, $schema, ...schema } = JSON.parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addFormat('uri-reference', isReference);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  return ajv.compile(schema);
}

/** The signs of RFC 3986, every percent sign before two digits. */
function isReference(text: string): boolean {
  return /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-F]{2})*$/i.test(text);
}

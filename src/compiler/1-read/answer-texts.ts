/** Texts that an answer brings: they are read like the source's own, and refused where they fail. */

import { isJsonObject, type Json } from '../ir/json.js';
import type { Diagnostic } from '../ir/result.js';
import { listSecrets } from './auth-headers.js';
import { textsWithin } from './texts.js';

/** What speaks against the texts of an answer's value, in words; null where nothing does. */
export function objectToTexts(value: Json): string | null {
  const faults: Diagnostic[] = [];
  textsWithin(value, '', faults);
  const [fault] = faults;
  if (fault !== undefined) return `a template in it cannot be read (at ${fault.at || 'the value'})`;
  const headers = isJsonObject(value) ? value['headers'] : undefined;
  const [secret] = listSecrets(isJsonObject(headers) ? headers : null);
  if (secret === undefined) return null;
  return `the header ${JSON.stringify(secret.name)} holds a secret; an answer names where it lives`;
}

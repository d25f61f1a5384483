/**
 * Who may call the documents: whoever sends the API key as a bearer token, and says in a header of
 * the vendor which version of the API it speaks.
 */
import { Refused } from '../answer.js';
import type { Api } from '../answer-request.js';
import { header } from '../call.js';

const versions: ReadonlySet<string> = new Set([
  ...['2026-02-09', '2025-04-21', '2024-12-23', '2024-07-30'],
]);

export function createAdmission(apiKey: string, vendorPrefix: string): Api['admit'] {
  if (!/^[\w-]+$/.test(vendorPrefix)) {
    throw new RangeError(
      'The vendor prefix has other than letters, digits, hyphens and underscores',
    );
  }
  const name = `x-${vendorPrefix}-api-version`;
  return (call) => {
    if (header(call, 'authorization') !== `Bearer ${apiKey}`) {
      throw new Refused(401, 'The API key is missing or not valid');
    }
    const version = header(call, name);
    if (version === undefined) throw new Refused(400, `The header ${name} is missing`);
    if (!versions.has(version)) throw new Refused(400, `The header ${name} names no version`);
  };
}

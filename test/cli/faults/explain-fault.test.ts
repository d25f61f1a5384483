/** The codes of commands and clients: each is known, and none is a code of a diagnostic. */
import { describe, expect, it } from 'vitest';
import type { Fault } from '../../../src/adapters/http/retry.js';
import { explainFault, faultCodes } from '../../../src/cli/faults/explain-fault.js';
import { codes } from '../../../src/diagnostics/explain.js';
import { type ApiError, createDocumentsClient } from '../../../src/documents.js';
import { lintExtractionSchema } from '../../../src/documents-schemas.js';

const all = faultCodes.map((code) => explainFault(code) ?? expect.fail());

/** Every reason of the request core; one that is missing here does not compile. */
const reasons: Readonly<Record<Fault, true>> = {
  timeout: true,
  aborted: true,
  'no-token': true,
  unreachable: true,
  'connection-lost': true,
  truncated: true,
  'too-large': true,
  'wrong-type': true,
  malformed: true,
  refused: true,
};

describe('the faults of commands and clients', () => {
  it('are no codes of diagnostics', () => {
    expect(faultCodes.filter((code) => codes().includes(code))).toEqual([]);
  });

  it.each(all)('$code speaks in sentences', ({ title, why, help }) => {
    expect(title).toMatch(/^[A-Z][^.]{7,70}$/u);
    expect(why).toMatch(/^[A-Z].{40,}\.$/u);
    expect(help).toMatch(/^[A-Z].+\.$/u);
    expect([title, why, help].join('\n')).not.toMatch(/!|please|sorry|undefined|\$\{| {2}|\.\./iu);
  });

  it.each(Object.keys(reasons))('know why there is no answer: %s', (reason) => {
    expect(faultCodes).toContain(`api/${reason}`);
  });

  it('know what every status comes to', async () => {
    const [baseUrl, retry] = ['https://api.example.com', { maxAttempts: 1 }];
    const documents = createDocumentsClient({ baseUrl, apiKey: 'k', retry });
    for (let status = 300; status < 600; status += 1) {
      const fetch = async () => new Response(null, { status });
      const error = await documents.files
        .get('a', {}, { fetch })
        .catch((thrown: ApiError) => thrown);
      expect(faultCodes).toContain(error.code);
    }
  });

  it('have the severity of the finding', () => {
    const schema = { type: 'object', properties: { a: { type: ['string', 'null'] } }, odd: 1 };
    for (const { code, severity } of lintExtractionSchema(schema)) {
      expect([code, explainFault(code)?.severity]).toEqual([code, severity]);
    }
    expect(lintExtractionSchema(schema).length).toBeGreaterThan(2);
  });

  it.each(['constructor', '__proto__', '', 'api', 'api/'])('know nothing of %j', (word) => {
    expect(explainFault(word)).toBeNull();
  });
});

/** Tokens in the place of secrets, with which a page compiles like the workflow. */
import { hidden, hideTexts, maskSecrets } from '../compiler/ir/secrets.js';

const token = /squadc-secret-(\d{1,9})/g;

/** Returns true if a token stands somewhere in the document. */
export function isTokenized(document: unknown): boolean {
  return JSON.stringify(document ?? null).search(token) >= 0;
}

/**
 * The document with a token in the place of each secret, so that it compiles like the document.
 * Equal secrets have equal tokens, and tokens that stand there stay. `texts` as in `maskSecrets`.
 */
export function tokenize<Document>(document: Document) {
  const standing = JSON.stringify(document ?? null).matchAll(token);
  let last = 0;
  for (const [, number] of standing) last = Math.max(last, Number(number));
  const tokens = new Map<string, string>();
  const { masked, texts } = maskSecrets(document, (secret) => {
    if (isTokenized(secret) || secret.includes(hidden)) return secret;
    const own = tokens.get(secret) ?? `squadc-secret-${last + tokens.size + 1}`;
    tokens.set(secret, own);
    return own;
  });
  return { tokenized: hideTexts(masked, texts, (secret) => tokens.get(secret) ?? secret), texts };
}

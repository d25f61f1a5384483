/** Digests of contents. */
import { createHash } from 'node:crypto';

/** The SHA-256 of the content, as its first hexadecimal digits. */
export function digestOf(content: string | Uint8Array, digits = 16): string {
  return createHash('sha256').update(content).digest('hex').slice(0, digits);
}

/** What a workflow is known again by: the hash of its source's name and of its bytes. */
import { createHash } from 'node:crypto';

export function contentOf(source: string, bytes: Uint8Array): string {
  return createHash('sha256').update(source).update('\0').update(bytes).digest('hex');
}

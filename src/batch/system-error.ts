/** The reason of a failed system call, without the path and the call that Node adds to it. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if ('code' in error && error.code === 'EISDIR') return 'it is a directory';
  const match = /^[A-Z][A-Z0-9_]*: ([^,]+)/.exec(error.message);
  return match?.[1] ?? error.message;
}

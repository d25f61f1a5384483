/**
 * Reads the name of a file from `Content-Disposition`.
 *
 * Out: the last part of the name alone, since it comes from outside and is likely to be joined to a
 * folder; undefined where no usable name is left. The extended form goes before the plain one.
 */
export function fileNameOf(header: string): string | undefined {
  const extended = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header);
  const plain = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(header);
  let name = plain?.[2] ?? plain?.[1]?.replace(/\\(.)/g, '$1') ?? '';
  try {
    name = decodeURIComponent(extended?.[1] ?? '') || name;
  } catch {
    // The plain form is there for those who cannot read the other.
  }
  const part = name.replace(/^.*[/\\]/s, '');
  return /^\.{0,2}$|\p{Cc}/u.test(part) ? undefined : part;
}

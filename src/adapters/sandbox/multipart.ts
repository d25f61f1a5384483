/**
 * Reads a multipart/form-data body (RFC 7578) into its parts.
 *
 * The boundary counts only at the start of a line, as the content between may hold anything. A body
 * without its closing boundary is incomplete, and refused.
 */
import { Refused } from './answer.js';

export interface Part {
  readonly name: string;
  /** Null where the part is a field, not a file. */
  readonly fileName: string | null;
  readonly contentType: string | null;
  readonly content: Buffer;
}

const lineEnd = '\r\n';

/** Spaces may follow a boundary on its line. */
const longestPadding = 200;

export function readMultipart(contentType: string | undefined, body: Buffer): Part[] {
  const delimiter = Buffer.from(`${lineEnd}--${boundaryOf(contentType)}`);
  const parts: Part[] = [];
  let { after, last } = firstBoundary(body, delimiter);
  while (!last) {
    const start = after;
    // The line end before a boundary belongs to it, also where nothing stands between the two.
    const next = nextBoundary(body, delimiter, start - lineEnd.length);
    parts.push(readPart(body.subarray(start, next.at)));
    ({ after, last } = next);
  }
  return parts;
}

interface Boundary {
  readonly at: number;
  /** Where its line ends. */
  readonly after: number;
  /** Whether it closes the body. */
  readonly last: boolean;
}

/** The first boundary, which has no line end before it where the body begins with it. */
function firstBoundary(body: Buffer, delimiter: Buffer): Boundary {
  const bare = delimiter.subarray(lineEnd.length);
  const starts = body.subarray(0, bare.byteLength).equals(bare);
  const first = starts ? boundaryAt(body, 0, bare.byteLength) : null;
  return first ?? nextBoundary(body, delimiter, 0);
}

function nextBoundary(body: Buffer, delimiter: Buffer, from: number): Boundary {
  for (let at = body.indexOf(delimiter, from); at !== -1; at = body.indexOf(delimiter, at + 1)) {
    const found = boundaryAt(body, at, at + delimiter.byteLength);
    if (found !== null) return found;
  }
  throw incomplete();
}

/** The boundary here; null where a line only begins like one. */
function boundaryAt(body: Buffer, at: number, end: number): Boundary | null {
  const rest = body.toString('latin1', end, end + longestPadding);
  if (rest.startsWith('--')) return { at, after: end + 2, last: true };
  const line = /^[ \t]*\r\n/.exec(rest);
  return line && { at, after: end + line[0].length, last: false };
}

function incomplete(): Refused {
  return new Refused(400, 'The multipart body is incomplete');
}

function boundaryOf(contentType = ''): string {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary !== undefined && /^multipart\/form-data\s*;/i.test(contentType)) return boundary;
  throw new Refused(400, 'Content-Type must be multipart/form-data with a boundary');
}

function readPart(part: Buffer): Part {
  const end = part.indexOf(lineEnd + lineEnd);
  if (end === -1) throw new Refused(400, 'A part of the multipart body has no end of its headers');
  const headers = part.toString('utf8', 0, end);
  const disposition = headerOf(headers, 'content-disposition') ?? '';
  const name = parameterOf(disposition, 'name');
  if (name === null) throw new Refused(400, 'A part of the multipart body has no name');
  return {
    name,
    fileName: parameterOf(disposition, 'filename'),
    contentType: headerOf(headers, 'content-type'),
    content: part.subarray(end + 2 * lineEnd.length),
  };
}

function headerOf(headers: string, name: string): string | null {
  for (const line of headers.split(lineEnd)) {
    const colon = line.indexOf(':');
    if (line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim();
  }
  return null;
}

/** A quoted parameter; browsers and clients write quotes and line ends in it percent-encoded. */
function parameterOf(header: string, name: string): string | null {
  for (const [, each = '', value = ''] of header.matchAll(/;\s*([\w*]+)="((?:[^"\\]|\\.)*)"/g)) {
    if (each.toLowerCase() !== name) continue;
    const unescaped = value.replaceAll(/\\(["\\])/g, '$1');
    return unescaped.replaceAll('%22', '"').replaceAll('%0D', '\r').replaceAll('%0A', '\n');
  }
  return null;
}

/**
 * What somebody has done on a page, as text: in a link, and in the session's storage, where it
 * survives a reload.
 *
 * A link has it in its fragment, which is never sent to a server: `#w2.` and base64url of the
 * deflated JSON, with a checksum. The digit is the version of the format.
 */
import type { Json } from '../../index.js';
import type { GivenAnswers } from '../live/live.js';

const lead = '#w2.';
/** Of the unpacked text: a few kilobytes could unpack to gigabytes. */
const mostCharacters = 4_000_000;

export interface Work {
  readonly text: string;
  readonly target: string;
  readonly answers: GivenAnswers;
  /** The fragment that was opened. */
  readonly link: string;
}

/** By page: all files of a disk share the storage. */
const place = `squadc ${location.pathname}`;

export function keepWork(work: Work): void {
  try {
    sessionStorage.setItem(place, JSON.stringify(work));
  } catch {
    // It is full, or the browser has none.
  }
}

export function keptWork(): Work | null {
  try {
    const work = workOf(JSON.parse(sessionStorage.getItem(place) ?? ''));
    return work.text.trim() === '' ? null : work;
  } catch {
    return null;
  }
}

/** The work may come from anybody. */
function workOf(work: Record<string, unknown>): Work {
  const [text, target, link] = [work['text'], work['target'], work['link']].map(String);
  const answers = Object.entries(work['answers'] ?? {}).flatMap(readAnswer);
  return { text: text!, target: target!, link: link!, answers: Object.fromEntries(answers) };
}

export function isLink(fragment: string): boolean {
  return /^#w\d+\./.test(fragment);
}

/** The text must have tokens in the place of its secrets: a link is passed on. */
export async function writeLink(work: Omit<Work, 'link'>): Promise<string> {
  const packed = new Blob([JSON.stringify(work)])
    .stream()
    .pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return lead + btoa(signs).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Null if the fragment has another format, or was damaged or changed. */
export async function openLink(link: string): Promise<Work | null> {
  if (!link.startsWith(lead)) return null;
  try {
    return workOf({ ...JSON.parse(await unpack(link.slice(lead.length))), link });
  } catch {
    return null;
  }
}

function readAnswer([id, answer]: readonly [string, unknown]) {
  const { choice, value, text = id } = (answer ?? {}) as Record<string, Json>;
  if (typeof choice !== 'string' || typeof text !== 'string') return [];
  return [[id, { choice, ...(value !== undefined && { value }), text }] as const];
}

async function unpack(packed: string): Promise<string> {
  const signs = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    if (text.length > mostCharacters) throw new RangeError('the link is too large');
  }
  return text;
}

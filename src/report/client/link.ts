/**
 * A workflow in the fragment of an address: `#w1.` and base64url of the deflated JSON. The digit is
 * the version of the format. A fragment is never sent to a server.
 */
import type { Json } from '../../index.js';
import type { GivenAnswers } from '../live/live.js';

const lead = '#w1.';
/** Of the unpacked text: a few kilobytes could unpack to gigabytes. */
const mostCharacters = 4_000_000;

/** `workflow` without its secrets: a link is passed on. */
export async function writeLink(
  workflow: Json,
  target: string,
  answers: GivenAnswers,
): Promise<string> {
  const text = JSON.stringify({ workflow, target, answers });
  const packed = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate-raw'));
  const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
  const signs = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return lead + btoa(signs).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Null if the fragment has another format or is damaged. */
export async function openLink(fragment: string) {
  if (!fragment.startsWith(lead)) return null;
  try {
    const { workflow, target, answers } = JSON.parse(await unpack(fragment.slice(lead.length)));
    return {
      text: JSON.stringify(workflow, null, 2),
      target: String(target),
      answers: Object.fromEntries(Object.entries(answers ?? {}).flatMap(readAnswer)),
    };
  } catch {
    return null;
  }
}

/** A link comes from anybody. */
function readAnswer([id, answer]: readonly [string, unknown]) {
  const { choice, value, text = id } = (answer ?? {}) as Record<string, Json>;
  if (typeof choice !== 'string' || typeof text !== 'string') return [];
  return [[id, { choice, ...(value !== undefined && { value }), text }] as const];
}

async function unpack(packed: string): Promise<string> {
  const signs = atob(packed.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(signs, (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text += piece.value;
    if (text.length > mostCharacters) throw new RangeError('the link is too large');
  }
  return text;
}

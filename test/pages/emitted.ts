/** What `squadc compile --emit` prints, whole or some places of it, for pages that explain it. */
import { loadApi } from '../../src/cli/command.js';
import { run } from '../../src/cli/run.js';
import type { Json } from '../../src/index.js';
import { valueAt } from '../../src/report/places.js';
import { fakeIo } from '../cli/fake-io.js';
import { pretty } from '../golden/expected.js';

/** For `emit <what> <file> [place…]`: the command, and what stands at each of the places. */
export async function emitted([
  what = '',
  file = '',
  ...places
]: readonly string[]): Promise<string> {
  const io = fakeIo({ cwd: process.cwd() });
  const command = ['compile', file, '--emit', what];
  const exit = await run(command, io, loadApi);
  if (exit !== 0) throw new Error(io.err());
  const document: Json = JSON.parse(io.out());
  const line = `\`squadc ${command.join(' ')}\``;
  if (places.length === 0) return `${line}\n\n${block(document)}`;
  const parts = Object.fromEntries(places.map((at) => [at, partOf(document, at)]));
  return `${line}, of it by place:\n\n${block(parts)}`;
}

function partOf(document: Json, at: string): Json {
  const value = valueAt(document, at);
  if (value === undefined) throw new Error(`nothing stands at ${at}`);
  return value;
}

function block(value: Json): string {
  return `\`\`\`json\n${pretty(value)}\`\`\`\n`;
}

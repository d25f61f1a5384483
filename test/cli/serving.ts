/** `squadc serve` or `squadc sandbox` under way, until a test ends it. */
import { run } from '../../src/cli/run.js';
import { type FakeIo, fakeIo, type Surroundings } from './fake-io.js';

export interface Serving {
  readonly io: FakeIo;
  readonly ended: Promise<number>;
  readonly interrupt: () => void;
  /** Whether anybody still listens for the end. */
  readonly listening: () => boolean;
}

export function serving(
  argv: readonly string[],
  surroundings: Surroundings = {},
  command = 'serve',
): Serving {
  const stops = new Set<() => void>();
  const io = fakeIo({
    ...surroundings,
    onInterrupt: (stop) => {
      stops.add(stop);
      return () => stops.delete(stop);
    },
  });
  const ended = run([command, ...argv], io);
  const interrupt = () => {
    for (const stop of [...stops]) stop();
  };
  return { io, ended, interrupt, listening: () => stops.size > 0 };
}

/** Where it listens, once it does; throws where it has ended instead. */
export async function addressOf({ io, ended }: Serving): Promise<string> {
  let code: number | undefined;
  ended.then((it) => {
    code = it;
  });
  for (;;) {
    const found = /^tools +(http:\S+)$/m.exec(io.err())?.[1];
    if (found !== undefined) return found;
    if (code !== undefined) throw new Error(`ended with ${code}: ${io.err()}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export interface Result {
  readonly toolCallId: string;
  readonly name: string;
  readonly result?: string;
  readonly error?: string;
}

export async function sendCalls(
  url: string,
  toolCallList: readonly object[],
  { callId = 'call-1', headers = {} }: { callId?: string; headers?: Record<string, string> } = {},
): Promise<Result[]> {
  const message = { type: 'tool-calls', call: { id: callId }, toolCallList };
  const body = JSON.stringify({ message });
  const response = await fetch(url, { method: 'POST', headers, body });
  if (response.status !== 200) throw new Error(`answered with ${response.status}`);
  return ((await response.json()) as { results: Result[] }).results;
}

/** A process around a command that keeps what was written. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { Io } from '../../src/cli/io.js';

export interface FakeIo extends Io {
  out(): string;
  err(): string;
}

export interface Surroundings {
  readonly stdin?: string | Uint8Array;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly onInterrupt?: Io['onInterrupt'];
}

export function fakeIo({
  stdin = '',
  isTTY = false,
  columns,
  env = {},
  cwd = '/',
  onInterrupt = () => () => {},
}: Surroundings = {}): FakeIo {
  const written = { out: '', err: '' };
  const output = (stream: 'out' | 'err') => ({
    isTTY,
    columns,
    write: (text: string) => {
      written[stream] += text;
    },
  });
  return {
    readStdin: async () => (typeof stdin === 'string' ? new TextEncoder().encode(stdin) : stdin),
    onInterrupt,
    stdout: output('out'),
    stderr: output('err'),
    env,
    cwd,
    out: () => written.out,
    err: () => written.err,
  };
}

/** The folder, and a function that puts a file there and returns its name. */
export function temporaryFolder(): { folder: string; put(name: string, text: string): string } {
  const folder = mkdtempSync(join(tmpdir(), 'squadc-cli-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return {
    folder,
    put(name, text) {
      writeFileSync(join(folder, name), text);
      return name;
    },
  };
}

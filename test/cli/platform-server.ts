/** A server that stands for the platform, a network without waiting, and a folder to work in. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { run } from '../../src/cli/run.js';
import type { Network } from '../../src/platform/network.js';
import { fakeIo } from './fake-io.js';

/** What every test's key is; it must stand in no output, no error and no journal. */
export const secret = 'k-5f0c1e9a7b3d4c2f';

export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | undefined;
  readonly body: string;
}

export type Answer = (seen: Seen, response: ServerResponse, nth: number) => void;

/** An answer of JSON with a status. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };
}

/** The answers one after the other; the last one stays. */
export function inTurn(...answers: readonly Answer[]): Answer {
  let turn = 0;
  return (seen, response, nth) => {
    const answer = answers[Math.min(turn, answers.length - 1)];
    turn += 1;
    answer?.(seen, response, nth);
  };
}

export interface Platform {
  readonly folder: () => string;
  readonly baseUrl: () => string;
  readonly seen: readonly Seen[];
  /** How long the network was asked to sleep, each time. */
  readonly sleeps: readonly number[];
  answer(with_: Answer): void;
  squadc(...argv: readonly string[]): Promise<{ exitCode: number; out: string; err: string }>;
  /** Everything that commands wrote in this test. */
  readonly written: () => string;
}

/** The surroundings of each test of a file. */
export function platform(overrides: Partial<Network> = {}): Platform {
  const seen: Seen[] = [];
  const sleeps: number[] = [];
  let folder = '';
  let written = '';
  let current: Answer = json(404, {});
  const server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const { method = '', url = '', headers } = request;
      const each = { method, url, authorization: headers.authorization, body };
      seen.push(each);
      current(each, response, seen.length);
    });
  });
  const network: Network = {
    fetch: (input, init) => globalThis.fetch(input, init),
    now: () => Date.parse('2026-08-01T00:00:00Z'),
    random: () => 0.5,
    sleep: async (milliseconds) => {
      sleeps.push(milliseconds);
    },
    attemptMs: 5000,
    ...overrides,
  };
  beforeEach(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'squadc-platform-')));
    [seen.length, sleeps.length, written] = [0, 0, ''];
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    rmSync(folder, { recursive: true, force: true });
  });
  const baseUrl = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return {
    folder: () => folder,
    baseUrl,
    seen,
    sleeps,
    answer: (with_) => {
      current = with_;
    },
    written: () => written,
    async squadc(...argv) {
      const io = fakeIo({ cwd: folder, env: { API_KEY: secret } });
      const unused = () => Promise.reject(new Error('the compiler is not needed here'));
      const exitCode = await run(argv, { ...io, network }, unused);
      written += io.out() + io.err();
      return { exitCode, out: io.out(), err: io.err() };
    },
  };
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

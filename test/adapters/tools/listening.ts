/** A server with a handler of the test, and raw connections to it. */
import { connect, type Socket } from 'node:net';
import { onTestFinished, vi } from 'vitest';
import {
  startToolServer,
  type ToolServer,
  type ToolServerOptions,
} from '../../../src/adapters/tools/server.js';

export const echo = async (request: Request) => new Response(await request.text());

/** A handler that answers when it is told to. */
export function gated() {
  let open = () => {};
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const handle = vi.fn(async (request: Request) => {
    await request.text();
    await gate;
    return new Response('{"results":[]}');
  });
  return { handle, open: () => open() };
}

export async function listening(options: Partial<ToolServerOptions> = {}): Promise<ToolServer> {
  const handle = async () => new Response('{"results":[]}');
  const server = await startToolServer({ handle, host: '127.0.0.1', port: 0, ...options });
  onTestFinished(() => server.close());
  return server;
}

export interface Line {
  readonly socket: Socket;
  send(text: string): void;
  /** All that has come so far. */
  said(): string;
  readonly closed: Promise<void>;
}

/** A connection on which a test writes what it likes. */
export function lineTo({ url }: ToolServer): Line {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let said = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    said += piece;
  });
  // A connection that is broken off is what some tests are about.
  socket.on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  return { socket, send: (text) => void socket.write(text), said: () => said, closed };
}

export function post(body: string, more = ''): string {
  return `POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n${more}\r\n${body}`;
}

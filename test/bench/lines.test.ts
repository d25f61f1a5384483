/** What sends the measured requests: each gets its own answer, over no more connections than may be. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openLines } from '../../bench/serve/lines.mjs';

async function linesTo(listener: RequestListener, most = 2) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await expect.poll(() => server.listening).toBe(true);
  const lines = openLines(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, most);
  let opened = 0;
  server.on('connection', () => {
    opened += 1;
  });
  onTestFinished(() => {
    lines.close();
    server.close();
  });
  return { lines, opened: () => opened };
}

const request = (path: string) => `GET /${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
const paths = Array.from({ length: 20 }, (_, index) => `${index}`);

describe('lines', () => {
  it('bring each request its own answer, in however many pieces it comes', async () => {
    const { lines, opened } = await linesTo(async ({ url }, response) => {
      const body = `answer to ${url}`;
      response.writeHead(201, { 'content-length': body.length });
      for (const piece of body) {
        response.write(piece);
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      response.end();
    });
    const answers = await Promise.all(paths.map((path) => lines.ask(request(path))));
    expect(answers).toEqual(paths.map((path) => ({ status: 201, text: `answer to /${path}` })));
    expect(opened()).toBe(2);
  });

  it('that break off fail what was asked on them, and nothing else', async () => {
    const { lines } = await linesTo(({ url, socket }, response) => {
      if (Number(url?.slice(1)) % 5 === 0) socket.destroy();
      else response.end('well');
    });
    const ended = await Promise.allSettled(paths.map((path) => lines.ask(request(path))));
    const wrong = ended.flatMap(({ status }, index) => (status === 'rejected' ? [index] : []));
    expect(wrong).toEqual([0, 5, 10, 15]);
  });
});

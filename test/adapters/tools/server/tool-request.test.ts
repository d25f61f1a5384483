/** A body that is read whole: up to a length, and to its end or not at all. */
import { describe, expect, it, vi } from 'vitest';
import type { ToolRequest } from '../../../../src/adapters/tools/handler/options.js';
import { answering, lineTo, listening, post } from './listening.js';

/** Answers with the length of the body, or with what became of it. */
async function reading({ read }: ToolRequest, maxBytes = 100) {
  const body = await read?.(maxBytes);
  return body ? answering(`${body.length}: ${Buffer.from(body)}`) : answering('too long', 413);
}

const gone = 'the request was broken off';

describe('a body', () => {
  it('is there whole, in however many pieces it came', async () => {
    const line = lineTo(await listening({ answer: (request) => reading(request) }));
    line.send('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n2\r\nab\r\n');
    await new Promise((resolve) => setTimeout(resolve, 20));
    line.send('3\r\ncde\r\n0\r\n\r\n');
    await expect.poll(line.said).toContain('\r\n\r\n5: abcde');
    line.send(post('f'));
    await expect.poll(line.said).toContain('\r\n\r\n1: f');
    line.send(post(''));
    await expect.poll(line.said).toContain('\r\n\r\n0: ');
  });

  it('may be as long as is allowed, and one that is longer does not break the connection', async () => {
    const line = lineTo(await listening({ answer: (request) => reading(request) }));
    line.send(post('x'.repeat(100)));
    await expect.poll(line.said).toContain('100: xxx');
    line.send(post('y'.repeat(101)));
    await expect.poll(line.said).toContain('too long');
    line.send(post('z'.repeat(3_000_000)));
    line.send(post('!'));
    await expect.poll(line.said).toContain('1: !');
    expect(
      line
        .said()
        .match(/HTTP\/1.1 \d+/g)
        ?.map((each) => each.slice(-3)),
    ).toEqual(['200', '413', '413', '200']);
  });

  it('that breaks off is no body', async () => {
    const failed = vi.fn();
    const answer = (request: ToolRequest) => reading(request).catch((error) => failed(`${error}`));
    const line = lineTo(await listening({ answer }));
    line.send('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nab');
    await new Promise((resolve) => setTimeout(resolve, 20));
    line.socket.destroy();
    await expect.poll(() => failed.mock.calls).toEqual([[`Error: ${gone}`]]);
  });

  it('that broke off before it was asked for is none, either', async () => {
    const failed = vi.fn();
    const answer = async (request: ToolRequest) => {
      await line.closed;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return reading(request).catch((error) => failed(`${error}`));
    };
    const line = lineTo(await listening({ answer }));
    line.send('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nab');
    await new Promise((resolve) => setTimeout(resolve, 20));
    line.socket.destroy();
    await expect.poll(() => failed.mock.calls).toEqual([[`Error: ${gone}`]]);
  });

  it('of a method that has none is not read', async () => {
    const line = lineTo(await listening({ answer: (request) => reading(request) }));
    line.send(post('abc').replace('POST', 'GET'));
    await expect.poll(line.said).toContain('\r\n\r\n0: ');
  });
});

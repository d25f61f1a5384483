/**
 * The service that the clients are measured against, in a process of its own; it ends with the one
 * that started it. GET of `{bytes}.bin` is answered with so many zeros, any other GET with a bill or
 * a run, POST with the number of bytes that came.
 */
import { fork } from 'node:child_process';
import { createServer } from 'node:http';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const fields = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`field${index}`, `value of field ${index}`]),
);
const bill = JSON.stringify({ isSuccess: true, responseText: 'Success', responseData: fields });
const run = JSON.stringify({ object: 'extract_run', id: 'exr_1', status: 'PROCESSED', ...fields });

/** Starts the service; gives its origin, and what ends it. */
export async function startServer() {
  const child = fork(self, ['serve']);
  const port = await new Promise((resolve) => child.once('message', resolve));
  return { origin: `http://127.0.0.1:${port}`, stop: () => child.disconnect() };
}

/** @param {number} bytes */
function* zeros(bytes) {
  const piece = Buffer.alloc(65_536);
  for (let left = bytes; left > 0; left -= piece.length) yield piece.subarray(0, left);
}

if (process.argv[2] === 'serve') {
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request;
    const bytes = /(\d+)\.bin$/.exec(url)?.[1];
    if (bytes !== undefined) {
      response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': bytes });
      Readable.from(zeros(Number(bytes))).pipe(response);
      return;
    }
    let received = 0;
    if (method === 'POST') for await (const piece of request) received += piece.length;
    const body = url.startsWith('/api/Bill/') ? bill : run;
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(method === 'POST' ? JSON.stringify({ id: 'file_1', received }) : body);
  });
  server.listen(0, '127.0.0.1', () => process.send?.(Object(server.address()).port));
  process.on('disconnect', () => process.exit());
}

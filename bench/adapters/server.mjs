/**
 * The service that the clients are measured against, in a process of its own; it ends with the one
 * that started it.
 *
 * GET of a path that ends with `{bytes}.bin` is answered with so many zeros, as fast as they are
 * taken; any other GET at once, with a bill or a run; POST with the length of what came. GETs without
 * a file are answered on the bare socket, so that the clients and not the server are what is measured.
 */
import { createServer } from 'node:net';

const fields = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`field${index}`, `value of field ${index}`]),
);
const bill = answer({ isSuccess: true, responseText: 'Success', responseData: fields });
const run = answer({ object: 'extract_run', id: 'exr_1', status: 'PROCESSED', metadata: fields });
const piece = Buffer.alloc(65_536);

const server = createServer({ noDelay: true }, (socket) => {
  let head = '';
  /** Bytes of a body that have come; null between two bodies. */
  let received = /** @type {number | null} */ (null);
  let last = Buffer.alloc(0);
  socket.on('data', (/** @type {Buffer} */ data) => {
    if (received !== null) return receive(data);
    head += data.toString('latin1');
    for (let end = head.indexOf('\r\n\r\n'); end >= 0; end = head.indexOf('\r\n\r\n')) {
      const request = head.slice(0, end);
      const rest = head.slice(end + 4);
      head = rest;
      if (request.startsWith('POST')) {
        [received, head, last] = [0, '', Buffer.alloc(0)];
        return receive(Buffer.from(rest, 'latin1'));
      }
      const bytes = /(\d+)\.bin[ ?]/.exec(request)?.[1];
      if (bytes !== undefined) send(socket, Number(bytes));
      else socket.write(request.startsWith('GET /api/Bill/') ? bill : run);
    }
  });
  // A client that leaves in the middle.
  socket.on('error', () => socket.destroy());

  /** A form ends with its boundary, a body of pieces with an empty one. @param {Buffer} data */
  function receive(data) {
    received = (received ?? 0) + data.length;
    last = Buffer.concat([last, data]).subarray(-80);
    if (!/--\r\n(?:\r\n0\r\n\r\n)?$/.test(last.toString('latin1'))) return;
    socket.write(answer({ object: 'file', id: 'file_1', received }));
    received = null;
  }
});

/** @param {import('node:net').Socket} socket @param {number} length */
function send(socket, length) {
  const type = 'content-type: application/pdf';
  socket.write(`HTTP/1.1 200 OK\r\n${type}\r\ncontent-length: ${length}\r\n\r\n`);
  let left = length;
  const go = () => {
    while (left > 0) {
      const next = piece.subarray(0, left);
      left -= next.length;
      if (!socket.write(next)) return void socket.once('drain', go);
    }
  };
  go();
}

/** @param {object} body */
function answer(body) {
  const text = JSON.stringify(body);
  const type = 'content-type: application/json; charset=utf-8';
  const length = Buffer.byteLength(text);
  return Buffer.from(`HTTP/1.1 200 OK\r\n${type}\r\ncontent-length: ${length}\r\n\r\n${text}`);
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  process.send?.(typeof address === 'object' ? address?.port : undefined);
});
process.on('disconnect', () => process.exit());

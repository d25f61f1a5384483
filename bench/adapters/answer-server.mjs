/**
 * Answers every GET at once with a bill or a run, whichever the path asks for. It reads no more of a
 * request than where it ends, so that the clients and not the server are what is measured.
 */
import { createServer } from 'node:net';
import { listenForParent } from './start-server.mjs';

const fields = Object.fromEntries(
  Array.from({ length: 40 }, (_, index) => [`field${index}`, `value of field ${index}`]),
);
const bill = answer({ isSuccess: true, responseText: 'Success', responseData: fields });
const run = answer({ object: 'extract_run', id: 'exr_1', status: 'PROCESSED', metadata: fields });

const server = createServer({ noDelay: true }, (socket) => {
  let text = '';
  socket.on('data', (piece) => {
    text += piece.toString('latin1');
    for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
      socket.write(text.startsWith('GET /api/Bill/') ? bill : run);
      text = text.slice(end + 4);
    }
  });
  // A client that leaves in the middle.
  socket.on('error', () => socket.destroy());
});
listenForParent(server);

/** @param {object} body */
function answer(body) {
  const text = JSON.stringify(body);
  const type = 'content-type: application/json; charset=utf-8';
  return Buffer.from(
    `HTTP/1.1 200 OK\r\n${type}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

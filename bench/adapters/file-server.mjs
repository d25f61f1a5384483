/**
 * Sends files of any length without holding them, takes uploads without keeping them.
 *
 * GET of a path that ends with `{bytes}.bin`, or with `limitRecord={bytes}`, is answered with so many
 * bytes; GET of a bill with how much of the last file was sent; POST with the length of what came.
 */
import { createServer } from 'node:http';
import { patternFrom } from './pattern.mjs';
import { listenForParent } from './start-server.mjs';

/** @typedef {import('node:http').ServerResponse} Response */

const pieceLength = 65_536;
let sent = 0;

const server = createServer((request, response) => {
  if (request.method === 'POST') return receive(request, response);
  const length = /(\d+)\.bin$|limitRecord=(\d+)/.exec(request.url ?? '');
  if (length === null) answer(response, { isSuccess: true, responseData: { sent } });
  else send(response, Number(length[1] ?? length[2]));
});
listenForParent(server);

/**
 * Piece by piece, and only as fast as it is taken.
 *
 * @param {Response} response
 * @param {number} length
 */
function send(response, length) {
  response.writeHead(200, { 'content-type': 'application/pdf', 'content-length': length });
  sent = 0;
  const go = () => {
    while (sent < length) {
      const piece = patternFrom(sent, Math.min(pieceLength, length - sent));
      sent += piece.length;
      if (!response.write(piece)) return response.once('drain', go);
    }
    return response.end();
  };
  go();
}

/** @param {import('node:http').IncomingMessage} request @param {Response} response */
function receive(request, response) {
  let received = 0;
  request.on('data', (piece) => {
    received += piece.length;
  });
  request.on('end', () => answer(response, { object: 'file', id: 'file_1', received }));
}

/** @param {Response} response @param {object} body */
function answer(response, body) {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

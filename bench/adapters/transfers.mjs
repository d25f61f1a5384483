/**
 * Long transfers: each opens what it needs and hands out a function that moves so many bytes.
 *
 * Downloads are read piece by piece and dropped; what is uploaded is the file at the path. `ours` are
 * held to what is promised, `peers` stand beside them.
 */
import { createReadStream } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { assertPattern } from './pattern.mjs';

/**
 * How much came; for a slow reader, how far the server was ahead of it.
 *
 * @typedef {{ moved: number, ahead?: number }} Moved
 * @typedef {(bytes: number, path: string) => Promise<Moved>} Transfer
 */

/** @type {Record<string, (origin: string) => Promise<Transfer>>} */
export const ours = {
  'bills.getAttachment': (origin) => attachment(origin),
  'bills.getAttachment, slow reader': (origin) => slowAttachment(origin),
  'bills.getAttachment on fetch': (origin) => attachment(origin, { fetch }),
  'bills.export': (origin) => exported(origin),
  'documents.files.upload of a path': (origin) => upload(origin, (path) => path),
  'documents.files.upload of a stream': (origin) => upload(origin, createReadStream),
  'documents.files.upload of a path on fetch': (origin) =>
    upload(origin, (path) => path, { fetch }),
};

/** @type {typeof ours} */
export const peers = {
  'undici.request': async (origin) => {
    const { request } = await import('undici');
    return async (bytes) => readAll((await request(`${origin}/${bytes}.bin`)).body);
  },
  fetch: async (origin) => async (bytes) => {
    const { body } = await fetch(`${origin}/${bytes}.bin`);
    return readAll(/** @type {AsyncIterable<Uint8Array>} */ (body));
  },
  'extend-ai files.upload of a stream': async (origin) => {
    const { ExtendClient } = await import('extend-ai');
    const { files } = new ExtendClient({ baseUrl: origin, token: 'key' });
    return async (bytes, path) => uploaded(await files.upload(createReadStream(path), {}), bytes);
  },
};

/** @param {string} origin @param {{ fetch?: typeof fetch }} [options] */
async function attachment(origin, options) {
  const client = await billsClient(origin, options);
  return async (/** @type {number} */ bytes) =>
    readAll((await client.getAttachment(17, `${bytes}.bin`)).body);
}

/** @param {string} origin */
async function exported(origin) {
  const client = await billsClient(origin);
  return async (/** @type {number} */ bytes) =>
    readAll((await client.export('entry', { format: 'csv', limitRecord: bytes })).body);
}

/** @param {string} origin @param {{ fetch?: typeof fetch }} [options] */
async function billsClient(origin, options) {
  const { createBillsClient } = await import('squadc/bills');
  return createBillsClient({ baseUrl: origin, auth: { apiKey: 'key' }, ...options });
}

/** @param {string} origin @param {(path: string) => any} source @param {{ fetch?: typeof fetch }} [options] */
async function upload(origin, source, options) {
  const { createDocumentsClient } = await import('squadc/documents');
  const { files } = createDocumentsClient({ baseUrl: origin, apiKey: 'key', ...options });
  return async (/** @type {number} */ bytes, /** @type {string} */ path) =>
    uploaded(await files.upload(source(path)), bytes);
}

/**
 * A form is a little longer than the file in it.
 *
 * @param {any} answer
 * @param {number} bytes
 */
function uploaded({ received }, bytes) {
  const rest = received - bytes;
  return { moved: rest > 0 && rest < 2000 ? bytes : received };
}

/** @param {AsyncIterable<Uint8Array>} body */
async function readAll(body) {
  let moved = 0;
  for await (const piece of body) {
    assertPattern(piece, moved);
    moved += piece.length;
  }
  return { moved };
}

/**
 * Its reader rests after every megabyte, longest in the middle, and asks there what the server has
 * sent: were it not held back, that would be nearly all.
 *
 * @param {string} origin
 */
async function slowAttachment(origin) {
  const client = await billsClient(origin);
  return async (/** @type {number} */ bytes) => {
    const { body } = await client.getAttachment(17, `${bytes}.bin`);
    let [moved, rested, ahead] = [0, 0, 0];
    for await (const piece of body) {
      assertPattern(piece, moved);
      moved += piece.length;
      if (moved - rested < 1e6) continue;
      rested = moved;
      await sleep(4);
      if (ahead > 0 || moved < bytes / 2) continue;
      await sleep(200);
      /** @type {any} */
      const { responseData } = await client.get(17);
      ahead = responseData.sent - moved;
    }
    return { moved, ahead };
  };
}

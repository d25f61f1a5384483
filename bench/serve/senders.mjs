/** One read of a bill: from the sandbox, and as a tool call. */
import { openLines } from './lines.mjs';

/** Fewer than a server takes on at a time, and more than there are where it keeps up. */
const connections = 256;

const forSandbox = { requestToken: 'sandbox-key', 'content-type': 'application/json' };
const forTools = { authorization: 'Bearer bench', 'content-type': 'application/json' };

export function openSenders() {
  /** @type {Map<string, ReturnType<typeof openLines>>} */
  const servers = new Map();
  let calls = 0;

  /** @param {string} address */
  function linesTo(address) {
    const { origin } = new URL(address);
    const lines = servers.get(origin) ?? openLines(origin, connections);
    servers.set(origin, lines);
    return lines;
  }

  /** @param {string} address a sandbox's; the result is the number of a new bill */
  async function newBill(address) {
    const bill = { netAmount: 125.5, billDate: '2026-03-01', billNumber: 'B-1' };
    const url = `${address}/Bill/single/shop`;
    const request = requestTo('POST', url, forSandbox)(JSON.stringify(bill));
    const { text } = await linesTo(address).ask(request);
    return Number(JSON.parse(text).responseData);
  }

  return {
    newBill,
    /** @param {string} address @param {number} idBill @returns {() => Promise<void>} */
    reading(address, idBill) {
      const lines = linesTo(address);
      const request = requestTo('GET', `${address}/Bill/${idBill}`, forSandbox)();
      return async () => expectBill(await lines.ask(request));
    },
    /** @param {string} address @param {number} idBill @returns {() => Promise<void>} */
    calling(address, idBill) {
      const lines = linesTo(address);
      const request = requestTo('POST', address, forTools);
      return async () => {
        calls += 1;
        expectBill(await lines.ask(request(messageOf(`tool-${calls}`, idBill))));
      };
    },
    close() {
      for (const lines of servers.values()) lines.close();
    },
  };
}

/**
 * Everything of a request but its body, which goes in last: no call should wait for the rest.
 *
 * @param {string} method @param {string} url @param {Record<string, string>} headers
 */
function requestTo(method, url, headers) {
  const { host, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  const head = `${method} ${pathname} HTTP/1.1\r\n${lines.join('')}`;
  return (body = '') => `${head}content-length: ${body.length}\r\n\r\n${body}`;
}

/** As the platform sends it. @param {string} id @param {number} idBill */
function messageOf(id, idBill) {
  const given = JSON.stringify({ idBill });
  const call = { id, type: 'function', function: { name: 'get_bill', arguments: given } };
  const message = { type: 'tool-calls', call: { id: 'bench' }, toolCallList: [call] };
  return JSON.stringify({ message });
}

/** @param {import('./lines.mjs').Answer} answer */
function expectBill({ status, text }) {
  if (status !== 200 || !text.includes('B-1')) throw new Error(`answered with ${status}: ${text}`);
}

/** One read of a bill: from the sandbox, and as a tool call. */
import { Agent, request } from 'undici';

const headers = { requestToken: 'sandbox-key', 'content-type': 'application/json' };

export function openSenders() {
  const dispatcher = new Agent({ connections: 256, keepAliveTimeout: 60_000 });
  let calls = 0;

  /** @param {string} address a sandbox's; the result is the number of a new bill */
  async function newBill(address) {
    const body = JSON.stringify({ netAmount: 125.5, billDate: '2026-03-01', billNumber: 'B-1' });
    const url = `${address}/Bill/single/shop`;
    const answer = await request(url, { dispatcher, method: 'POST', headers, body });
    return Number(/** @type {any} */ (await answer.body.json()).responseData);
  }

  return {
    newBill,
    /** @param {string} address @param {number} idBill @returns {() => Promise<void>} */
    reading: (address, idBill) => async () => {
      const answer = await request(`${address}/Bill/${idBill}`, { dispatcher, headers });
      expectBill(answer.statusCode, await answer.body.text());
    },
    /** @param {string} address @param {number} idBill @returns {() => Promise<void>} */
    calling: (address, idBill) => async () => {
      calls += 1;
      const answer = await request(address, {
        dispatcher,
        method: 'POST',
        headers: { authorization: 'Bearer bench', 'content-type': 'application/json' },
        body: messageOf(`tool-${calls}`, idBill),
      });
      expectBill(answer.statusCode, await answer.body.text());
    },
    close: () => dispatcher.close(),
  };
}

/** As the platform sends it. @param {string} id @param {number} idBill */
function messageOf(id, idBill) {
  const given = JSON.stringify({ idBill });
  const call = { id, type: 'function', function: { name: 'get_bill', arguments: given } };
  const message = { type: 'tool-calls', call: { id: 'bench' }, toolCallList: [call] };
  return JSON.stringify({ message });
}

/** @param {number} status @param {string} text */
function expectBill(status, text) {
  if (status !== 200 || !text.includes('B-1')) throw new Error(`answered with ${status}: ${text}`);
}

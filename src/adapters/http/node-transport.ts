/**
 * Requests on Node, over kept-alive connections of undici.
 *
 * undici takes longer to load than everything else here together, so it is loaded at the first
 * request. Times are kept elsewhere, on one timer; what undici keeps itself is switched off.
 */
import type { Agent } from 'undici';
import type { Transport } from './transport.js';

/** To one origin at most 128 connections; further requests wait, and their time runs. */
const options = { connections: 128, headersTimeout: 0, bodyTimeout: 0 };

export function createNodeTransport(): Transport {
  let agent: Promise<Agent> | undefined;
  return {
    dispatch(request, sink) {
      agent ??= import('undici').then(({ Agent }) => new Agent(options));
      agent.then(
        (opened) => opened.dispatch(request as Parameters<Agent['dispatch']>[0], sink),
        (error) => {
          agent = undefined;
          sink.onResponseError(undefined, error);
        },
      );
    },
    async close() {
      const opened = await agent;
      agent = undefined;
      await opened?.close();
    },
  };
}

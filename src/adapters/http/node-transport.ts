/**
 * Requests on Node, over kept-alive connections of undici.
 *
 * undici takes longer to load than everything else here together, so it is loaded at the first
 * request. Times are kept elsewhere, on one timer; what undici keeps itself is switched off.
 */
import type { Agent, Dispatcher } from 'undici';
import { piecesOf, type Transport, type TransportRequest } from './transport.js';

/** To one origin at most 128 connections; further requests wait, and their time runs. */
const agentOptions = { connections: 128, headersTimeout: 0, bodyTimeout: 0 };

export function createNodeTransport(): Transport {
  let agent: Promise<Agent> | Agent | undefined;

  async function open(): Promise<Agent> {
    const undici = await import('undici');
    agent = new undici.Agent(agentOptions);
    return agent;
  }

  return {
    dispatch(request, sink) {
      const go = (opened: Agent) => opened.dispatch(optionsOf(request), sink);
      agent ??= open();
      if ('then' in agent) agent.then(go).catch((error) => sink.onResponseError(undefined, error));
      else go(agent);
    },
    async close() {
      const opened = await agent;
      agent = undefined;
      await opened?.close();
    },
  };
}

function optionsOf(request: TransportRequest): Dispatcher.DispatchOptions {
  const { origin, path, method, headers, body } = request;
  if (typeof body !== 'object') return { origin, path, method, headers, body: body ?? null };
  const { length } = body;
  const sized = length === undefined ? headers : { ...headers, 'content-length': `${length}` };
  return { origin, path, method, headers: sized, body: piecesOf(body) as never };
}

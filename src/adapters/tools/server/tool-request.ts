/**
 * A request of node:http as what a handler reads, and an answer on its way back.
 *
 * No web `Request` is made of it: that, with its signal and its stream, takes longer than all that a
 * handler does. The body is read piece by piece, as far as it is asked for. Whoever stops reading
 * does not break the connection: the rest is thrown away, so that the sender gets to read the answer.
 * One who hangs up does not stop what was begun: what became of it would not be known.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../handler/handler.js';
import type { ToolRequest } from '../handler/options.js';

export function toolRequest(message: IncomingMessage): ToolRequest {
  const { method = '', headers } = message;
  return {
    method,
    headers: {
      // Node joins the values of a header that came more than once, but for cookies.
      get: (name) => headers[name.toLowerCase()]?.toString() ?? null,
    },
    // Methods without a body may have one nevertheless, of which nobody knows what it means.
    body: method === 'POST' ? message.iterator({ destroyOnReturn: false }) : null,
  };
}

/** Answers a request, whether it was read to its end or not. */
export function writeAnswer(
  { status, headers, body }: Answer,
  to: ServerResponse<IncomingMessage>,
): void {
  to.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  // Reads what nobody wants any more; the time for a request holds for it, too.
  to.req.resume();
}

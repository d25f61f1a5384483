/**
 * A request of node:http as the web's `Request`, and a `Response` back into an answer.
 *
 * The body is handed on piece by piece, as far as it is asked for. Whoever stops reading does not
 * break the connection: the rest is thrown away, so that the sender gets to read the answer. One who
 * hangs up does not stop what was begun: what became of it would not be known.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Neither host nor path mean anything to a handler, and what they say may be anything. */
const address = 'http://localhost/';

/** The web's `Request` as Node makes it: a body that is a stream has to say that it is one way. */
type StreamInit = RequestInit & { readonly duplex: 'half' };

/** Throws a TypeError for headers that the web does not know. */
export function webRequest(message: IncomingMessage): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    for (const each of [value].flat()) if (each !== undefined) headers.append(name, each);
  }
  // Methods that the web forbids are as wrong as any other.
  if (message.method !== 'POST') return new Request(address, { headers });
  const init: StreamInit = { method: 'POST', headers, body: bodyOf(message), duplex: 'half' };
  return new Request(address, init);
}

function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  let wanted = true;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      message.on('data', (piece: Buffer) => {
        controller.enqueue(piece);
        if ((controller.desiredSize ?? 0) <= 0) message.pause();
      });
      message.once('end', () => wanted && controller.close());
      message.once('error', (error) => wanted && controller.error(error));
      message.pause();
    },
    pull() {
      message.resume();
    },
    cancel() {
      wanted = false;
      discardRest(message);
    },
  });
}

/** Reads what nobody wants any more; the time for a request holds for it, too. */
function discardRest(message: IncomingMessage): void {
  message.removeAllListeners('data').resume();
}

/** Answers a request, whether it was read to its end or not. */
export async function writeResponse(
  response: Response,
  to: ServerResponse<IncomingMessage>,
): Promise<void> {
  const body = Buffer.from(await response.arrayBuffer());
  for (const [name, value] of response.headers) to.setHeader(name, value);
  to.setHeader('content-length', body.length);
  to.writeHead(response.status).end(body);
  discardRest(to.req);
}

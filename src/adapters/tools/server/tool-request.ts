/**
 * A request of node:http as what a handler reads, and an answer on its way back.
 *
 * No web `Request` is made of it: that, with its signal and its stream, takes longer than all that a
 * handler does. The body is read whole, or piece by piece as far as it is asked for. Whoever stops
 * reading does not break the connection: the rest is thrown away, so that the sender gets to read the
 * answer. One who hangs up does not stop what was begun: what became of it would not be known.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Answer } from '../handler/handler.js';
import type { ToolRequest } from '../handler/options.js';

export function toolRequest(message: IncomingMessage): ToolRequest {
  return new MessageRequest(message);
}

/** A class, as a getter in a literal would keep each message alive long after its answer. */
class MessageRequest implements ToolRequest {
  readonly method: string;
  readonly headers: ToolRequest['headers'];
  // Methods without a body may have one nevertheless, of which nobody knows what it means.
  private readonly hasBody: boolean;

  constructor(private readonly message: IncomingMessage) {
    const { method = '', headers } = message;
    this.method = method;
    this.hasBody = method === 'POST';
    // Node joins the values of a header that came more than once, but for cookies.
    this.headers = { get: (name) => headers[name.toLowerCase()]?.toString() ?? null };
  }

  readonly read = (maxBytes: number): Promise<Uint8Array | null> =>
    this.hasBody ? wholeBody(this.message, maxBytes) : Promise.resolve(empty);

  get body(): ToolRequest['body'] {
    return this.hasBody ? this.message.iterator({ destroyOnReturn: false }) : null;
  }
}

const empty = new Uint8Array(0);

/** By its events: an iterator takes as long as all the rest of reading a request. */
function wholeBody(message: IncomingMessage, maxBytes: number): Promise<Uint8Array | null> {
  return new Promise((resolve, reject) => {
    const brokenOff = () => reject(new Error('the request was broken off'));
    if (message.destroyed) brokenOff();
    const pieces: Uint8Array[] = [];
    let length = 0;
    message.on('data', (piece: Uint8Array) => {
      length += piece.length;
      // What comes after it is thrown away.
      if (length > maxBytes) resolve(null);
      else pieces.push(piece);
    });
    message.on('end', () => resolve(Buffer.concat(pieces, length)));
    message.on('close', () => {
      if (!message.readableEnded) brokenOff();
    });
  });
}

/** Answers a request, whether it was read to its end or not. `more` are headers beside its own. */
export function writeAnswer(
  { status, headers, body }: Answer,
  more: Answer['headers'],
  to: ServerResponse<IncomingMessage>,
): void {
  // All at once: headers that are set one by one are checked and copied twice.
  to.writeHead(status, { ...headers, ...more, 'content-length': Buffer.byteLength(body) });
  to.end(body);
  // Reads what nobody wants any more; the time for a request holds for it, too.
  if (!to.req.readableEnded) to.req.resume();
}

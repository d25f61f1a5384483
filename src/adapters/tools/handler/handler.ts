/**
 * Answers the tool calls of a voice platform.
 *
 * In: a request of the platform, or of anyone who pretends to be it. Out: a response. The request
 * has to be a POST (405), of somebody who may (401), not too large (413) and JSON (400); then the
 * answer is 200 with one result per call, each of them a line that an assistant can say.
 * Guarantees: nothing is called that is not allowed; what is bound is never taken from a message; a
 * call that is delivered again does nothing again; the answer is there by the deadline.
 *
 *     const handle = createToolHandler({ bills, secret: { value }, allow: ['bills.get'], bind: { entry } });
 *     const response = await handle(request);
 */
import {
  type AnswererOptions,
  settleLimits,
  type ToolHandlerOptions,
  type ToolRequest,
} from './options.js';
import {
  bodyReader,
  createDoor,
  parseBody,
  Refusal,
  readCalls,
  readMessage,
  type ToolCallsMessage,
} from './request.js';
import { createSwitchboard } from './switchboard.js';
import { isAnswered } from './texts.js';

/** Answers a message of tool calls; never rejects. */
export type ToolHandler = (request: Request) => Promise<Response>;

/** A response, before anything is made of it. */
export interface Answer {
  readonly status: number;
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Throws an ApiError (`api/invalid-option`) for options that cannot be. */
export function createToolHandler(options: ToolHandlerOptions): ToolHandler {
  const answer = createAnswerer(options);
  return async (request) => {
    const { status, headers, body } = await answer(request);
    return new Response(body, { status, headers });
  };
}

/**
 * The same for whoever has requests of another kind: making one of the web's takes Node longer than
 * all that is done with it.
 */
export function createAnswerer<Incoming extends ToolRequest>(
  options: AnswererOptions<Incoming>,
): (request: Incoming) => Promise<Answer> {
  const limits = settleLimits(options.limits);
  const door = createDoor(options);
  const answerTo = createSwitchboard(options, limits);

  async function readRequest(request: Incoming): Promise<ToolCallsMessage | null> {
    if (request.method !== 'POST') throw new Refusal(405);
    const body = bodyReader(request, limits.requestBytes);
    if (!(await door(request, body))) throw new Refusal(401);
    return readMessage(parseBody(await body()));
  }

  async function resultsOf(message: ToolCallsMessage, request: Incoming): Promise<object[]> {
    const answer = answerTo(message, {
      onCall: (report) => options.onCall?.(report, request),
      onError: (error, call) => options.onError?.(error, call, request),
    });
    const calls = readCalls(message);
    const answering = calls.map(async (call, index) => {
      const result = await answer(call, index);
      const side = isAnswered(result) ? 'result' : 'error';
      return { toolCallId: call.id, name: call.name, [side]: result.line };
    });
    return Promise.all(answering);
  }

  return async (request) => {
    try {
      const message = await readRequest(request);
      return json(200, message ? { results: await resultsOf(message, request) } : {});
    } catch (error) {
      if (error instanceof Refusal) return refusal(error.status);
      throw error;
    }
  };
}

function json(status: number, body: object, more: Answer['headers'] = {}): Answer {
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store', ...more };
  return { status, headers, body: JSON.stringify(body) };
}

const reasons: Readonly<Record<number, string>> = {
  400: 'not JSON',
  401: 'not authenticated',
  405: 'not POST',
  413: 'too large',
};

function refusal(status: number): Answer {
  return json(status, { error: reasons[status] }, status === 405 ? { allow: 'POST' } : {});
}

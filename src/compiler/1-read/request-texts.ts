/** What a request reads after answers: its texts, wherever they came from. */
import type { Json } from '../ir/json.js';
import type { Traced } from '../ir/provenance.js';
import type { Request, Text, WorkflowNode } from '../ir/workflow.js';
import { textsWithin } from './texts.js';

/** The request with the texts that it sends now; one that an answer brought stands nowhere. */
export function withTexts(request: Request, node: WorkflowNode): Request {
  const texts = listParts(request).flatMap(({ value, origin }): Text[] => {
    if (origin.kind === 'source') return textsWithin(value, origin.at, []);
    return textsWithin(value, '', []).map((it) => ({ ...it, at: node.at }));
  });
  return { ...request, texts: [...texts, ...request.furtherTexts] };
}

/** A server knows where an operation is; all that it is sent is what is fixed. */
function listParts({ url, headers, body, operation }: Request): Traced<Json>[] {
  if (operation !== null && !operation.direct) return operation.bound.map(({ value }) => value);
  return [url, headers, body].filter((part) => part !== null);
}

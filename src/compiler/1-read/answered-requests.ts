/** Requests with what answers say of them: what they call, and how they authenticate. */
import type { Decision } from '../ir/inquiry.js';
import { isJsonObject, type JsonObject } from '../ir/json.js';
import {
  fromAnswer,
  type Origin,
  type Traced,
  traced,
  within,
  withPart,
} from '../ir/provenance.js';
import type { Request, RequestMethod, WorkflowNode } from '../ir/workflow.js';
import { authenticates } from './auth-headers.js';
import { withTexts } from './request-texts.js';
import { operationOf } from './tools/bind-operations.js';

export function setEndpoint(request: Request, node: WorkflowNode, decision: Decision): Request {
  const origin = fromAnswer(decision.inquiry.question.id);
  const given = decision.value as JsonObject;
  if (decision.choice === 'operation') {
    const bind = (given['bind'] ?? {}) as JsonObject;
    return { ...request, operation: operationOf(String(given['operation']), bind, origin) };
  }
  const { url, method, headers, body, timeoutSeconds } = given;
  const allHeaders = (headers as JsonObject | undefined) ?? request.headers?.value ?? null;
  return withTexts(
    {
      ...request,
      authenticated: request.authenticated || authenticates(allHeaders),
      url: traced(String(url), origin),
      method: traced(method as RequestMethod, origin),
      headers: headers === undefined ? request.headers : traced(headers as JsonObject, origin),
      body: body === undefined ? request.body : traced(body, origin),
      timeoutSeconds:
        timeoutSeconds === undefined
          ? request.timeoutSeconds
          : traced(timeoutSeconds as number, origin),
    },
    node,
  );
}

export function setAuth(request: Request, node: WorkflowNode, decision: Decision): Request {
  const origin = fromAnswer(decision.inquiry.question.id);
  const value = (decision.value ?? {}) as JsonObject;
  if (decision.choice === 'credential') {
    const credentialId = traced(String(value['credentialId']), origin);
    return { ...request, credentialId, authenticated: true };
  }
  if (decision.choice !== 'header') return { ...request, authenticated: true };
  const before = request.headers ?? traced<JsonObject>({}, origin);
  const secret = `{{${String(value['secret'])}}}`;
  const headers = addHeader(before, String(value['header']), secret, origin);
  return withTexts({ ...request, headers, authenticated: true }, node);
}

/** Headers may be a plain object or a JSON Schema whose properties are the headers. */
function addHeader(
  { value, origin }: Traced<JsonObject>,
  name: string,
  text: string,
  answer: Origin,
): Traced<JsonObject> {
  const { type, properties } = value;
  if (type === 'object' && isJsonObject(properties)) {
    const header = { type: 'string', value: text };
    const inside = withPart(within(origin, 'properties'), name, answer);
    return traced(
      { ...value, properties: { ...properties, [name]: header } },
      withPart(origin, 'properties', inside),
    );
  }
  return traced({ ...value, [name]: text }, withPart(origin, name, answer));
}

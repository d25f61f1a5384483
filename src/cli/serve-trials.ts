/**
 * What the handler would refuse of a configuration, all at once.
 *
 * The handler stops at the first fault. Here each part is tried on it alone, with nothing else that
 * could be wrong, so that no rule of the handler is written a second time.
 */
import { createToolHandler } from '../adapters/tools/handler/handler.js';
import type { Secret, ToolHandlerOptions } from '../adapters/tools/handler/options.js';
import { toolDefinitions } from '../adapters/tools/table/definitions.js';
import { ApiError, type BillsClient } from '../bills.js';
import { child } from '../compiler/ir/ids.js';
import type { DocumentsClient } from '../documents.js';
import { didYouMean } from './nearest.js';
import type { ServeConfig } from './serve-config.js';
import type { Fault } from './serve-rules.js';
import type { ServedServices } from './serve-services.js';

type Part = Partial<Omit<ToolHandlerOptions, 'authorize'>>;

/** Why the handler does not take these options; undefined where it does. */
function refusalOf(part: Part): string | undefined {
  try {
    const door = part.secret ? { secret: part.secret } : { authorize: () => false };
    createToolHandler({ ...part, ...door } as ToolHandlerOptions);
    return undefined;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.reason ?? error.code;
  }
}

/** `services` are the clients that could be made. */
export function handlerFaults(
  config: ServeConfig,
  services: ServedServices,
  secret: Secret | undefined,
): Fault[] {
  const { allow = [], tools = {}, bind = {}, fileHosts = [], say = {} } = config;
  const faults: Fault[] = [];
  const attempt = (at: string, part: Part, what: string) => {
    if (refusalOf(part) !== undefined) faults.push({ at, what });
  };
  // One that is not set is a fault already.
  if (secret?.values?.every((each) => each !== '')) {
    attempt('/secret', { secret }, 'cannot be sent in a header, or not in this one');
  }
  for (const [name, value] of Object.entries(bind)) {
    attempt(child('/bind', name), { bind: { [name]: value } }, 'cannot be bound for all tools');
  }
  for (const [name, tool] of Object.entries(tools)) {
    const { operation, bind: own } = typeof tool === 'string' ? { operation: tool } : tool;
    const at = child('/tools', name);
    if (!Object.hasOwn(toolDefinitions, operation)) {
      faults.push({ at, what: `is no operation that there is${nearest(operation)}` });
    } else {
      attempt(
        at,
        { tools: { [name]: { operation, ...(own && { bind: own }) } } },
        'cannot be bound so',
      );
    }
  }
  for (const [index, host] of fileHosts.entries()) {
    attempt(
      child('/fileHosts', index),
      { fileHosts: [host] },
      'is no host, such as files.example.com',
    );
  }
  for (const [operation, facts] of Object.entries(say)) {
    attempt(
      child('/say', operation),
      { say: { [operation]: facts } },
      'is no operation that there is',
    );
  }
  // What is allowed is judged by all that is bound, which has to be right before.
  const named = { ...namedServices(config), ...services };
  const shared = faults.length === 0 ? { tools, bind, ...named } : null;
  for (const [index, operation] of allow.entries()) {
    const what = faultOfAllowed(operation, named, shared);
    if (what !== undefined) faults.push({ at: child('/allow', index), what });
  }
  return faults;
}

/** Stand-ins for clients that could not be made, which is said elsewhere. Nothing is called. */
function namedServices({ bills, documents }: ServeConfig): ServedServices {
  const standIn: unknown = {};
  return {
    ...(bills && { bills: standIn as BillsClient }),
    ...(documents && { documents: standIn as DocumentsClient }),
  };
}

function faultOfAllowed(operation: string, services: ServedServices, shared: Part | null) {
  if (!Object.hasOwn(toolDefinitions, operation)) {
    return `is no operation that there is${nearest(operation)}`;
  }
  const service = operation.startsWith('bills.') ? 'bills' : 'documents';
  if (services[service] === undefined) return `needs the service: there is no /${service}`;
  const reason = shared && refusalOf({ ...shared, allow: [operation] });
  const name = /^bind\.(\w+)$/.exec(reason ?? '')?.[1];
  if (name !== undefined) return `needs ${name} to be bound, in /bind or with its tool`;
  return reason ? 'cannot be allowed' : undefined;
}

function nearest(operation: string): string {
  return didYouMean(operation, Object.keys(toolDefinitions)).replace('\n', ' ');
}

/**
 * What the handler would refuse of a configuration, all at once.
 *
 * The handler stops at the first fault. Here each part is tried on it alone, with nothing else that
 * could be wrong, so that no rule of the handler is written a second time.
 */
import { createToolHandler } from '../../adapters/tools/handler.js';
import type { Secret, ToolHandlerOptions } from '../../adapters/tools/options.js';
import { toolDefinitions } from '../../adapters/tools/table.js';
import { ApiError, type BillsClient } from '../../bills.js';
import { child } from '../../compiler/ir/ids.js';
import type { DocumentsClient } from '../../documents.js';
import { didYouMean } from '../output/terminal.js';
import type { Fault, ServeConfig } from './config.js';
import type { ServedServices } from './services.js';

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

/** A part of the configuration that is tried alone; null where no handler takes it, whatever else. */
interface Trial extends Fault {
  readonly part: Part | null;
}

/** `services` are the clients that could be made. */
export function handlerFaults(
  config: ServeConfig,
  services: ServedServices,
  secret: Secret | undefined,
): Fault[] {
  const trials = [...trialsOfSecret(secret), ...trialsOfTools(config), ...trialsOfTexts(config)];
  const faults: Fault[] = trials
    .filter(({ part }) => part === null || refusalOf(part) !== undefined)
    .map(({ at, what }) => ({ at, what }));
  // What is allowed is judged by all that is bound, which has to be right before.
  const { allow = [], tools = {}, bind = {} } = config;
  const named = { ...namedServices(config), ...services };
  const shared = faults.length === 0 ? { tools, bind, ...named } : null;
  for (const [index, operation] of allow.entries()) {
    const what = faultOfAllowed(operation, named, shared);
    if (what !== undefined) faults.push({ at: child('/allow', index), what });
  }
  return faults;
}

function trialsOfSecret(secret: Secret | undefined): Trial[] {
  // One that is not set is a fault already.
  if (!secret?.values?.every((each) => each !== '')) return [];
  const what = 'cannot be sent in a header, or not in this one';
  return [{ at: '/secret', part: { secret }, what }];
}

function trialsOfTools({ bind = {}, tools = {} }: ServeConfig): Trial[] {
  const ofAll = Object.entries(bind).map(([name, value]) => ({
    at: child('/bind', name),
    part: { bind: { [name]: value } },
    what: 'cannot be bound for all tools',
  }));
  const ofOne = Object.entries(tools).map(([name, tool]) => {
    const { operation, bind: own } = typeof tool === 'string' ? { operation: tool } : tool;
    const at = child('/tools', name);
    if (!Object.hasOwn(toolDefinitions, operation)) {
      return { at, part: null, what: `is no operation that there is${nearest(operation)}` };
    }
    const part = { tools: { [name]: { operation, ...(own && { bind: own }) } } };
    return { at, part, what: 'cannot be bound so' };
  });
  return [...ofAll, ...ofOne];
}

function trialsOfTexts({ fileHosts = [], say = {} }: ServeConfig): Trial[] {
  const ofHosts = fileHosts.map((host, index) => ({
    at: child('/fileHosts', index),
    part: { fileHosts: [host] },
    what: 'is no host, such as files.example.com',
  }));
  const ofWords = Object.entries(say).map(([operation, facts]) => ({
    at: child('/say', operation),
    part: { say: { [operation]: facts } },
    what: 'is no operation that there is',
  }));
  return [...ofHosts, ...ofWords];
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

/**
 * From flags and a configuration to what is served.
 *
 * In: the flags. Out: options of the handler, with clients of the services or of a sandbox.
 * Everything that is wrong is said at once, before anything listens.
 */
import type { ToolHandlerOptions } from '../../adapters/tools/options.js';
import { isLoopback, isNoBrowser } from '../../adapters/tools/server.js';
import type { Context } from '../command.js';
import { exitCodes, Refusal } from '../exit.js';
import type { Fault } from './config.js';
import { readConfig, refuseFaulty, type ServeConfig } from './config.js';
import {
  type ServedServices,
  secretOf,
  servicesOf,
  type Variables,
  variablesOf,
} from './services.js';
import { handlerFaults } from './trials.js';

export interface ServeFlags {
  readonly port: number;
  readonly host: string;
  readonly config?: string;
  readonly sandbox?: true;
}

export interface Served {
  readonly config: ServeConfig;
  readonly options: ToolHandlerOptions;
  /** Of a bill to try, where there is a sandbox. */
  readonly idBill?: number | undefined;
  close(): Promise<void>;
}

export async function prepare(flags: ServeFlags, context: Context): Promise<Served> {
  const file = flags.config;
  const given = file === undefined ? {} : await readConfig(file, context);
  if (given.secret === undefined && !isLoopback(flags.host)) throw wideOpen();
  const faults: Fault[] = [];
  const variable = variablesOf(context.io, faults);
  const secret = secretOf(given, variable);
  const stage = flags.sandbox ? await trialOf(given) : realOf(given, variable, faults);
  const { config, services, idBill, end } = stage;
  const close = async () => {
    await Promise.all([services.bills?.close(), services.documents?.close()]);
    await end?.();
  };
  faults.push(...handlerFaults(config, services, secret));
  if (faults.length > 0) await close();
  refuseFaulty(file ?? 'the configuration', faults);
  const { allow, bind, tools, fileHosts, say, limits } = config;
  const door = secret ? { secret } : { authorize: isNoBrowser };
  const parts = present({ allow, bind, tools, fileHosts, say, limits });
  return { config, idBill, close, options: { ...services, ...parts, ...door } };
}

function wideOpen(): Refusal {
  return new Refusal(
    'a server that others can reach needs a secret\n' +
      '  help: Name the environment variable that holds it in the configuration: ' +
      '"secret": { "env": "…" }. Without one, only 127.0.0.1, ::1 and localhost are listened on.',
    exitCodes.wrongUsage,
  );
}

interface Stage {
  readonly config: ServeConfig;
  readonly services: ServedServices;
  readonly idBill?: number | undefined;
  readonly end?: () => Promise<void>;
}

function realOf(config: ServeConfig, variable: Variables, faults: Fault[]): Stage {
  return { config, services: servicesOf(config, variable, faults) };
}

async function trialOf(given: ServeConfig): Promise<Stage> {
  const { startTrial } = await import('./sandbox.js');
  return startTrial(given);
}

/** An option that is undefined is one that is not given. */
function present<Options extends object>(options: Options) {
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as { [Name in keyof Options]?: NonNullable<Options[Name]> };
}

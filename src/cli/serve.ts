/** `squadc serve`: answers the tool calls of a migrated squad until it is told to end. */
import type { Command } from 'commander';
import type { ToolServer } from '../adapters/tools/server.js';
import { reasonOf } from '../batch/system-error.js';
import { type ExitCode, exitCodes, Refusal } from './exit.js';
import type { Invocation } from './invocation.js';
import type { Io } from './io.js';
import { wholeNumber } from './options/values.js';
import { greeting } from './serve-greeting.js';
import { type ServeLog, serveLog } from './serve-log.js';
import type { Served, ServeFlags } from './serve-prepare.js';
import { untilEnded } from './serve-signals.js';

const help = `
The configuration is JSON; members that end in Env name environment variables:
  secret      { env, header }: what the platform sends with its calls
  bills       { baseUrl, apiKeyEnv | bearerEnv | clientIdEnv, clientSecretEnv }
  documents   { baseUrl, apiKeyEnv }
  allow       operations that may be called (squadc tools list); default: none
  bind        values that no caller decides, by the names of parameters
  tools       operations by the names of a squad's tools: the toolBindings of
              its compilation
  fileHosts   hosts from which files may be taken
  say         what may be said beside what the operations allow
  limits      how much and how long a call may be
  server      how many and how long connections and requests may be

Each call is logged as a line of JSON on the standard output. GET /health says
whether calls are taken. It speaks plain HTTP: calls from elsewhere come by way
of a proxy with TLS.

Exit codes:
  0   ended (Ctrl-C or SIGTERM), after what was begun
  1   the configuration cannot be, or the address cannot be listened on
  64  wrong usage
  70  a bug of squadc's own

Examples:
  squadc serve --sandbox
  squadc serve --config serve.json --port 8080`;

/** Adds the command to the program. */
export function addServeCommand(program: Command, invocation: Invocation): void {
  program
    .command('serve')
    .summary('answer the tool calls of a squad')
    .description(
      'Serves the tools of a migrated squad: takes the tool calls of the platform, and calls the ' +
        'bills and the documents API with credentials that the platform does not know.',
    )
    .option('--config <file>', 'configuration (JSON)')
    .option('--sandbox', 'serve every operation against a sandbox, without accounts')
    .option('--port <n>', 'port to listen on (0: a free one)', wholeNumber(0, 65_535), 4020)
    .option(
      '--host <address>',
      'address to listen on; any but loopback needs a secret',
      '127.0.0.1',
    )
    .addHelpText('after', help)
    .action(async (flags: ServeFlags, command: Command) => {
      if (!flags.config && !flags.sandbox) command.error('error: choose --config or --sandbox');
      invocation.exitCode = await serve(flags, invocation);
    });
}

async function serve(flags: ServeFlags, invocation: Invocation): Promise<ExitCode> {
  const { io } = invocation;
  const { prepare } = await import('./serve-prepare.js');
  const served = await prepare(flags, invocation);
  const log = serveLog(io.stdout);
  try {
    const server = await listen(served, flags, log);
    const ended = untilEnded(io);
    io.stderr.write(greetingOf(served, server, flags, io));
    await ended;
    await server.close();
  } finally {
    await served.close();
    log.flush();
  }
  return exitCodes.complete;
}

async function listen(
  { options, config }: Served,
  { host, port }: ServeFlags,
  log: ServeLog,
): Promise<ToolServer> {
  const { createToolHandler } = await import('../adapters/tools/handler.js');
  const { startToolServer } = await import('../adapters/tools/server.js');
  const handle = createToolHandler({ ...options, onCall: log.call, onError: log.failed });
  const limits = config.server ?? {};
  try {
    return await startToolServer({ handle, host, port, limits, onRefused: log.refused });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    const reason = listenFaults.get(error.code) ?? reasonOf(error);
    throw new Refusal(`cannot listen on ${host}, port ${port}: ${reason}`, exitCodes.invalid);
  }
}

const listenFaults: ReadonlyMap<unknown, string> = new Map([
  ['EADDRINUSE', 'it is in use'],
  ['EACCES', 'it needs more rights'],
  ['EADDRNOTAVAIL', 'this machine has no such address'],
  ['ENOTFOUND', 'there is no such address'],
]);

function greetingOf({ config, idBill }: Served, { url }: ToolServer, flags: ServeFlags, io: Io) {
  const { allow = [], secret } = config;
  const variable = [secret?.env ?? []].flat()[0] ?? '';
  const facts = {
    url,
    operations: allow,
    secret: secret && { header: secret.header ?? 'authorization', variable },
    sandbox: flags.sandbox === true,
    idBill,
  };
  return greeting(facts, io.stderr.columns ?? 80);
}

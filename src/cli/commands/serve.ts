/** `squadc serve`: answers the tool calls of a migrated squad until it is told to stop. */
import { createToolHandler } from '../../serve/handler.js';
import type { CallNames } from '../../serve/options.js';
import {
  idHeader,
  type RequestReport,
  startToolServer,
  type ToolServer,
} from '../../serve/server.js';
import type { CommandData } from '../command.js';
import {
  cannotListen,
  exitCodes,
  type Io,
  type TextOutput,
  untilEnded,
  WrongUsage,
} from '../io.js';
import { portOption } from '../options.js';
import { entry, printable } from '../output/terminal.js';
import { prepare, type Served, type ServeFlags } from '../serving.js';

export const command: CommandData<[], ServeFlags> = {
  description:
    'Serves the tools of a migrated squad: receives the platform’s tool calls, and calls the ' +
    'bills and documents APIs with credentials that the platform does not have.',
  options: {
    'Server:': {
      '--config <file>': 'configuration (JSON)',
      '--sandbox': 'serve every operation from a sandbox, without accounts',
      ...portOption(4020),
      '--host <address>': [
        'address to listen on; a secret is required unless it is loopback',
        (it) => it.default('127.0.0.1'),
      ],
    },
  },
  notes: {
    'The configuration is JSON; members ending in Env name environment variables:': {
      secret: '{ env, header }: what the platform sends with its calls',
      bills:
        '{ baseUrl, apiKeyEnv, apiKeyHeader | bearerEnv | clientIdEnv, clientSecretEnv }; apiKeyHeader is the header of the key (default: requestToken)',
      documents: '{ baseUrl, apiKeyEnv }',
      allow: 'operations that may be called (squadc tools list); default: none',
      bind: 'values that callers must not choose, by parameter',
      tools: "operations by the names of a squad's tools: the toolBindings of its compilation",
      fileHosts: 'hosts from which files may be loaded',
      say: 'extra fields passed to the assistant',
      limits: 'limits on the size and duration of a call',
      server: 'limits on connections and requests',
    },
    'Each call':
      'is logged as one line of JSON on standard output. GET /health says whether calls are ' +
      'accepted. The server speaks plain HTTP; for calls from other machines, put a proxy with ' +
      'TLS in front of it.',
  },
  examples: ['squadc serve --sandbox', 'squadc serve --config serve.json --port 8080'],
  async action(_, flags, context) {
    if (!flags.config && !flags.sandbox) throw new WrongUsage('pass --config or --sandbox');
    const { io } = context;
    const served = await prepare(flags, context);
    try {
      const server = await listen(served, flags, io.stdout);
      const ended = untilEnded(io);
      io.stderr.write(greeting(served, server, flags, io));
      await ended;
      await server.close();
    } finally {
      await served.close();
    }
    return exitCodes.complete;
  },
};

/**
 * Listens, and logs one line of JSON for each call, each error, and each request without a call.
 * Logs nothing that a caller said: names come from the configuration, ids are checked, and messages
 * of a service are left out because they may repeat what a caller said.
 */
async function listen(
  { options, config }: Served,
  { host, port }: ServeFlags,
  output: TextOutput,
): Promise<ToolServer> {
  const log = (event: string, facts: object) =>
    output.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...facts })}\n`);
  const about = ({ callId, toolCallId, tool, operation }: CallNames, { headers }: Request) => {
    return { request: headers.get(idHeader), callId, toolCallId, tool, operation };
  };
  const rounded = (ms: number) => Math.round(ms * 10) / 10;
  const handle = createToolHandler({
    ...options,
    onCall: (call, request) => {
      const { code: outcome, durationMs } = call;
      log('call', { ...about(call, request), outcome, ms: rounded(durationMs) });
    },
    onError: (error, call, request) => {
      const fault = error instanceof Error ? error : new Error(String(error));
      const { name, message } = fault;
      const { message: _, serviceMessage: __, ...facts } = JSON.parse(JSON.stringify(fault));
      const known = name === 'ApiError' ? facts : { name, message };
      log('error', { ...about(call, request), error: known });
    },
  });
  const onRefused = ({ request, status, durationMs }: RequestReport) =>
    log('refused', { request, status, ms: rounded(durationMs) });
  try {
    return await startToolServer({ handle, host, port, limits: config.server ?? {}, onRefused });
  } catch (error) {
    throw cannotListen(error, `${host}, port ${port}`);
  }
}

function greeting(
  { config, idBill }: Served,
  { url }: ToolServer,
  { sandbox }: ServeFlags,
  { stderr }: Io,
): string {
  const { allow = [], secret } = config;
  const header = secret?.header ?? 'authorization';
  const named = allow.length > 6 ? `${allow.length}` : allow.join(', ');
  const line = (name: string, text: string) => entry(name, text, 12, stderr.columns);
  const parts = [
    line('tools', `${url}\n${url}/health says whether calls are accepted`),
    line('operations', named || 'none: "allow" in the configuration names them'),
    line('secret', secret ? `in the header ${header}` : 'none (any local process can call)'),
    sandbox
      ? line('services', 'a sandbox: its data is not real and is lost when this command ends')
      : '',
    'Press Ctrl-C to stop.\n',
    idBill === undefined ? '' : trial(url, idBill, header, secret),
  ];
  return printable(parts.join(''));
}

/** A request like the platform's, as a shell command to copy. The secret is left to the shell. */
function trial(url: string, idBill: number, header: string, secret: Served['config']['secret']) {
  const scheme = header.toLowerCase() === 'authorization' ? 'Bearer ' : '';
  const variable = [secret?.env ?? []].flat()[0] ?? '';
  const sent = secret === undefined ? '' : `-H "${header}: ${scheme}$${variable}" \\\n  `;
  return `
Try this (change the ids to make another call):
curl ${url} ${sent}-d '
  {"message":{"type":"tool-calls","call":{"id":"trial"},"toolCallList":[
  {"id":"1","name":"get_bill","arguments":{"idBill":${idBill}}}]}}'
`;
}

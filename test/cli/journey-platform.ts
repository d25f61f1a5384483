/** A platform on this machine: it has two workflows, and keeps the squads that it is sent. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** It answers nobody without this key, which must stand in no output. */
export const secret = 'k-3b8e51d7c2a94f60';

export interface JourneyPlatform {
  readonly baseUrl: string;
  /** By id. */
  readonly squads: ReadonlyMap<string, { readonly name: string }>;
  close(): Promise<void>;
}

export async function startJourneyPlatform(): Promise<JourneyPlatform> {
  const squads = new Map<string, { readonly name: string }>();
  const server = createServer(async (request, response) => {
    const [status, body] = answerTo(request, await bodyOf(request), squads);
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    squads,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = readonly [status: number, body: object];

function answerTo(
  { method, url = '', headers }: IncomingMessage,
  body: string,
  squads: Map<string, { readonly name: string }>,
): Answer {
  if (headers.authorization !== `Bearer ${secret}`) return [401, { message: 'who are you?' }];
  const [, kind, id = ''] = url.replace(/\?.*$/, '').split('/');
  if (method === 'GET' && kind === 'workflow' && id === '') {
    return [200, Array.from(workflows, ([each, workflow]) => ({ id: each, ...workflow }))];
  }
  const workflow = workflows.get(id);
  if (method === 'GET' && kind === 'workflow' && workflow) return [200, { id, ...workflow }];
  if (method === 'POST' && kind === 'squad') {
    const created = `squad-${squads.size + 1}`;
    squads.set(created, JSON.parse(body));
    return [201, { id: created, ...JSON.parse(body) }];
  }
  if (method === 'DELETE' && kind === 'squad' && squads.delete(id)) return [200, { id }];
  return [404, { message: 'not found' }];
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of request) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

const workflows = new Map([
  ['wf-clinic', workflow('Clinic desk', 'Find a day that suits {{customer_name}}.')],
  // The name is misspelt: somebody has to say so.
  ['wf-garage', workflow('Garage desk', 'Tell {{costumer_nam}} when the car is ready.')],
]);

/** As the platform's API gives it. */
function workflow(name: string, prompt: string) {
  return {
    orgId: 'org-1',
    name,
    model: { provider: 'openai', model: 'gpt-4o' },
    nodes: [
      {
        name: 'greet',
        type: 'conversation',
        isStart: true,
        prompt: 'Ask who is calling, and what for.',
        messagePlan: { firstMessage: 'Good morning.' },
        variableExtractionPlan: {
          output: [{ title: 'customer_name', type: 'string', description: "the caller's name" }],
        },
      },
      { name: 'date', type: 'conversation', prompt },
      {
        name: 'operator',
        type: 'tool',
        tool: {
          type: 'transferCall',
          destinations: [{ type: 'number', number: '+14155550123' }],
        },
      },
      {
        name: 'bye',
        type: 'tool',
        tool: { type: 'endCall', messages: [{ type: 'request-start', content: 'Goodbye.' }] },
      },
    ],
    edges: [
      { from: 'greet', to: 'date', condition: { type: 'ai', prompt: 'it is about a date' } },
      { from: 'greet', to: 'operator', condition: { type: 'ai', prompt: 'it is something else' } },
      { from: 'date', to: 'bye' },
    ],
  };
}

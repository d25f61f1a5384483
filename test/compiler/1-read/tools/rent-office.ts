/** A small workflow with one request, and what the tests of operations look at in its squad. */
import { type CompileOptions, type CompileResult, compile } from '../../../../src/index.js';

export const captured = (name: string) => ({
  name,
  type: 'string',
  description: `the ${name}`,
});

const talk = (id: string, systemPrompt: string, more: object = {}) => ({
  id,
  type: 'conversation',
  systemPrompt,
  ...more,
});

/** A desk that finds out `bill`, and behind it two ways; on one of them a request is sent. */
export function rentOffice(
  request: object,
  extractVariables: readonly object[] = [captured('bill')],
) {
  return {
    name: 'Rent',
    nodes: [
      talk('desk', 'Ask what it is about.', { extractVariables }),
      talk('bills', 'Look the bill up.'),
      talk('keys', 'Talk about keys.'),
      { id: 'call', type: 'apiRequest', ...request },
    ],
    edges: [
      { from: 'desk', to: 'bills', condition: 'asks for a bill' },
      { from: 'desk', to: 'keys', condition: 'has lost a key' },
      { from: 'bills', to: 'call' },
    ],
  };
}

/** What the platform exports of a desk with one tool, `find`. */
export const exported = (tool: object) => ({
  name: 'Bills',
  nodes: [
    { name: 'desk', type: 'conversation', isStart: true, prompt: 'Ask which bill.' },
    { name: 'find', type: 'tool', tool: { type: 'apiRequest', ...tool } },
  ],
  edges: [{ from: 'desk', to: 'find' }],
});

/** Where the request stands. */
export const callAt = '/nodes/3';

export const ids = ({ questions }: CompileResult) => questions.map(({ id }) => id);

export interface Tool {
  readonly type: string;
  readonly url?: string;
  readonly function?: { readonly parameters: { readonly properties: object } };
  readonly parameters?: readonly { readonly key: string; readonly value: unknown }[];
  readonly destinations?: readonly { readonly variableExtractionPlan?: { schema: object } }[];
}

export function toolsOf({ output }: CompileResult): Tool[] {
  const { squad } = output as unknown as {
    squad: { members: { assistant: { model: { tools?: Tool[] } } }[] };
  };
  return squad.members.flatMap(({ assistant }) => assistant.model.tools ?? []);
}

/** The request calls the operation. */
export function bound(
  operation: string,
  bind: object = {},
  more: CompileOptions = {},
): CompileOptions {
  return { ...more, bindings: { call: { operation, bind: bind as never } } };
}

/** The platform calls the bills API itself, and nobody asks how it says who it is. */
export const direct: CompileOptions = {
  tools: 'direct',
  serviceUrls: { bills: 'https://pay.example.com/api' },
  answers: { policies: { 'missing-auth': 'none' } },
};

/** What is said of the tools of operations, by code and place. */
export function saidOf(result: CompileResult): string[] {
  return result.diagnostics
    .filter(({ code }) => code.startsWith('tools/'))
    .map(({ code, at }) => `${code} ${at}`);
}

export function compileCall(request: object, options: CompileOptions): CompileResult {
  return compile(rentOffice(request), options);
}

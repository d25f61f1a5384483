/** Small workflows that leave one thing open, and what comes of answers. */
import {
  type Answers,
  type CompileOptions,
  type CompileResult,
  compile,
  type Question,
} from '../../src/index.js';

export type Fields = Readonly<Record<string, unknown>>;

/** A workflow by its nodes, by id, and edges like `a > b: the condition`. */
export function workflow(nodes: Readonly<Record<string, Fields>>, edges: readonly string[] = []) {
  return {
    name: 'By hand',
    nodes: Object.entries(nodes).map(([id, node]) => ({ id, type: 'conversation', ...node })),
    edges: edges.map((edge) => {
      const [, from, to, condition] = /^(\S+) > ([^:\s]+)(?:: (.*))?$/s.exec(edge)!;
      return { from, to, ...(condition !== undefined && { condition }) };
    }),
  };
}

export const talk = (systemPrompt: string, more: Fields = {}) => ({ systemPrompt, ...more });
export const capture = (name: string, more: Fields = {}) => ({
  extractVariables: [{ name, type: 'string', description: `the ${name}`, ...more }],
});
export const end = { type: 'endCall' };
/** A request that leaves nothing open, but for the fields that are given as undefined. */
export const request = (more: Fields = {}): Fields => {
  const usual = {
    url: 'https://api.example.com',
    method: 'GET',
    headers: { Authorization: '{{key}}' },
  };
  const all = Object.entries({ type: 'apiRequest', ...usual, ...more });
  return Object.fromEntries(all.filter(([, value]) => value !== undefined));
};

/** Compiles with `key` as a variable of the caller. */
export function run(document: unknown, options: CompileOptions = {}): CompileResult {
  return compile(document, { dynamicVariables: ['key'], ...options });
}

export function answer(id: string, choice: string, value?: unknown): { answers: Answers } {
  const given = value === undefined ? { choice } : { choice, value };
  return { answers: { answers: { [id]: given } } as Answers };
}

export const keysOf = ({ choices }: Question) => choices.map(({ key }) => key);
export const said = ({ diagnostics }: CompileResult, part = 'api/') =>
  diagnostics.flatMap(({ code, at }) => (code.startsWith(part) ? [`${code} ${at}`] : []));

/** The prompts of the squad or of its draft, one after the other. */
export function promptsOf({ output, draft }: CompileResult): string {
  const document = (output ?? draft) as Fields;
  const { members } = (document['squad'] ?? document) as { members: { assistant: Member }[] };
  return members.map(({ assistant }) => assistant.model.messages[0]!.content).join('\n====\n');
}

/** All tools of the squad. */
export function toolsOf({ output, draft }: CompileResult): Fields[] {
  const document = (output ?? draft) as Fields;
  const { members } = (document['squad'] ?? document) as { members: { assistant: Member }[] };
  return members.flatMap(({ assistant }) => assistant.model.tools ?? []);
}

interface Member {
  readonly model: { readonly messages: { content: string }[]; readonly tools?: Fields[] };
}

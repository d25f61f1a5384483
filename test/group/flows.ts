/** Workflows in a line, and what becomes of them. */
import { emit } from '../../src/compiler/emit.js';
import { type CompileOptions, compile, type Diagnostic } from '../../src/index.js';

type Fields = Readonly<Record<string, unknown>>;

/** What a node is, by the first letter of its id; all others talk. */
const kinds: Readonly<Record<string, (id: string) => Fields>> = {
  t: (id) => ({
    type: 'apiRequest',
    url: `https://api.example.com/${id}`,
    method: 'GET',
    headers: { Authorization: 'Bearer sample' },
  }),
  x: () => ({ type: 'endCall' }),
  y: () => ({ type: 'transferCall', destination: '+14155550100' }),
  g: (id) => ({ ...talk(id), isGlobal: true, condition: `asks for ${id}` }),
};

function talk(id: string): Fields {
  return { type: 'conversation', systemPrompt: `Do the work of ${id}.` };
}

/** A tool that can be called at any time. */
export const globalTool: Fields = { ...kinds['t']!('g'), isGlobal: true, condition: 'asks for it' };

export function captures(...names: string[]): Fields {
  return { extractVariables: names.map((name) => ({ name, type: 'string', description: name })) };
}

export function says(systemPrompt: string): Fields {
  return { systemPrompt };
}

/**
 * The workflow with these edges, `a > b, b > c: the condition`; a name alone is a node that no edge
 * has. Nodes stand in the order in which they are named; `more` says more of some of them.
 */
export function flow(edges: string, more: Readonly<Record<string, Fields>> = {}) {
  const parts = edges.split(', ').map((part) => /^(\S+?)(?: > ([^:]+)(?:: (.*))?)?$/.exec(part)!);
  const ids = new Set(parts.flatMap(([, from, to]) => (to === undefined ? [from!] : [from!, to])));
  return {
    name: 'Sample',
    nodes: [...ids].map((id): Fields => ({ id, ...(kinds[id[0]!] ?? talk)(id), ...more[id] })),
    edges: parts.flatMap(([, from, to, condition]) => {
      if (to === undefined) return [];
      return condition === undefined ? { from, to } : { from, to, condition };
    }),
  };
}

export interface Region {
  readonly nodes: readonly string[];
  readonly steps: readonly { kind: string; from: string; to: string; edge: string }[];
  readonly merges: readonly { rule: string; nodes: readonly string[] }[];
}

export function regionsOf(workflow: unknown, options: CompileOptions = {}): readonly Region[] {
  const { document } = emit(workflow, options, 'regions');
  return (document as { regions: Region[] }).regions;
}

/** The nodes of each assistant, `a b | c`: first the one that it begins with. */
export function grouped(workflow: unknown, options: CompileOptions = {}): string {
  const regions = regionsOf(workflow, options);
  return regions.map(({ nodes }) => nodes.join(' ')).join(' | ');
}

/** The diagnostics with a code that begins like this, `code at related…`. */
export function warned(workflow: unknown, prefix: string, options: CompileOptions = {}): string[] {
  const { diagnostics } = compile(workflow, { target: 'squad', ...options });
  const said = ({ code, at, related }: Diagnostic) => [code, at, ...related].join(' ');
  return diagnostics.filter(({ code }) => code.startsWith(prefix)).map(said);
}

/** Small documents, and what `compile` says that it read in them. */
import { type CompileOptions, compile } from '../../src/index.js';

export type Fields = Readonly<Record<string, unknown>>;

/** A workflow in the spec's shape: nodes by id, and edges like `a > b: the condition`. */
export function spec(nodes: Readonly<Record<string, Fields>>, edges: readonly string[] = []) {
  return {
    name: 'By hand',
    nodes: Object.entries(nodes).map(([id, node]) => ({ id, type: 'conversation', ...node })),
    edges: edges.map((edge) => {
      const [, from, to, condition] = /^(\S+) > ([^:\s]+)(?:: (.*))?$/s.exec(edge)!;
      return { from, to, ...(condition !== undefined && { condition }) };
    }),
  };
}

/** An export: nodes by name. */
export function exported(nodes: Readonly<Record<string, Fields>>, edges: readonly Fields[] = []) {
  const named = Object.entries(nodes).map(([name, node]) => ({
    name,
    prompt: `Do ${name}.`,
    ...node,
  }));
  return { name: 'Export', nodes: named.map((it) => ({ type: 'conversation', ...it })), edges };
}

/** Code and place of every finding, as `code place`. */
export function findings(workflow: unknown, options?: CompileOptions): string[] {
  return compile(workflow, options).diagnostics.map(({ code, at }) => `${code} ${at}`);
}

/** The variables that nothing sets: all that the workflow reads, where it captures nothing. */
export function readsOf(workflow: unknown, options?: CompileOptions): string[] {
  const kind = 'undefined-variable';
  const asked = compile(workflow, options).questions.filter((question) => question.kind === kind);
  return asked.map(({ id }) => id.slice(kind.length + 1)).sort();
}

/** A table: JSON, and behind an arrow what is told of it. */
export function rows(table: string): [Fields, string[]][] {
  const lines = table.split('\n').filter((line) => line.includes('=>'));
  return lines.map((line) => {
    const [document = '', told = ''] = line.split('=>');
    return [JSON.parse(document) as Fields, told.split(',').map((it) => it.trim())];
  });
}

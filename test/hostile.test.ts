/** Hostile documents of up to a megabyte are answered in time, as a workflow and as a squad. */
import { describe, expect, it } from 'vitest';
import { compile, readWorkflow, verify } from '../src/index.js';

const megabyte = 1_000_000;
const node = (systemPrompt: string, more: object = {}) => ({
  id: 'a',
  type: 'conversation',
  systemPrompt,
  ...more,
});
const alone = (systemPrompt: string) => ({ name: 'w', nodes: [node(systemPrompt)], edges: [] });
const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const long = (piece: string) =>
  piece.repeat(Math.floor((0.95 * megabyte) / JSON.stringify(piece).length));

const texts: Readonly<Record<string, string>> = {
  'many outputs': long('{{a}}'),
  'outputs of many names': times(60_000, (at) => `{{v${at}}} `).join(''),
  'open braces': long('{{'),
  'open tags': long('{%'),
  'closing braces': long('}}'),
  'nested blocks': `${'{% if a %}'.repeat(40_000)}${'{% endif %}'.repeat(40_000)}`,
  'blocks side by side': long('{% if a == 1 %}x{% endif %}'),
  'unclosed raw': `{% raw %}${long('{{a}}')}`,
  'one long filter chain': `{{ a ${long('| upcase ')} }}`,
  'a long path': `{{ a${long('.b')} }}`,
  'brackets in brackets': `{{ a${'[b'.repeat(100_000)}${']'.repeat(100_000)} }}`,
  quotes: `{{ ${'"'.repeat(450_000)} }}`,
  'white space': `{{${long(' ')}a}}`,
  'a comment without end': `{% comment %}${long('{% if %}')}`,
  'words of squadc': long('Step 1\n- when x, go to step 2\nYou are the assistant "a".\n'),
  'assignments in a row': times(20_000, (at) => `{% assign v${at} = v${at + 1} %}`).join(''),
};

const documents: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, alone(text)])),
  'nodes of one name': {
    nodes: times(5000, (at) => node('x', { id: `n${at}`, name: 'a' })),
    edges: times(5000, (at) => ({ from: `n${at >> 1}`, to: `n${at}`, condition: `c${at}` })),
  },
  'nodes of one id': { nodes: times(10_000, () => node('x')), edges: [] },
  'edges of one pair': {
    nodes: [node('x'), node('y', { id: 'b' })],
    edges: times(10_000, (at) => ({ from: 'a', to: 'b', condition: `c${at}` })),
  },
  'edges to nowhere': {
    nodes: [node('x')],
    edges: times(15_000, (at) => ({ from: 'a', to: `z${at}` })),
  },
  'a long logical condition': {
    nodes: [node('x'), node('y', { id: 'b' })],
    edges: [{ from: 'a', to: 'b', condition: long('a == 1 && ') }],
  },
  'captures of one name': {
    nodes: [
      node('{{a}}', {
        extractVariables: times(8000, () => ({ name: 'a', type: 'string', description: 'd' })),
      }),
    ],
    edges: [],
  },
  'unknown fields': {
    nodes: [node('x')],
    edges: [],
    ...Object.fromEntries(times(40_000, (at) => [`f${at}`, at])),
  },
  'deep nesting': JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`),
  'branches and global nodes': {
    nodes: [
      ...times(1000, (at) => node('x', { id: `n${at}`, name: `n${at}` })),
      ...times(1000, (at) => node('g', { id: `g${at}`, isGlobal: true, condition: `about ${at}` })),
    ],
    edges: times(999, (at) => ({ from: 'n0', to: `n${at + 1}`, condition: `c${at}` })),
  },
  'a chain of tools with many predecessors': {
    nodes: [
      node('x', { id: 'n0' }),
      ...times(600, (at) => node(`x${at}`, { id: `p${at}` })),
      ...times(600, (at) => ({
        id: `t${at}`,
        type: 'apiRequest',
        url: 'https://a.example',
        method: 'GET',
        headers: { Authorization: 'Bearer a' },
      })),
    ],
    edges: [
      ...times(600, (at) => ({ from: 'n0', to: `p${at}`, condition: `c${at}` })),
      ...times(600, (at) => ({ from: `p${at}`, to: 't0' })),
      ...times(599, (at) => ({ from: `t${at}`, to: `t${at + 1}` })),
    ],
  },
};

/** Two seconds are asked for; a loaded machine gets ten. What grows with the square takes minutes. */
const limit = 10_000;

describe('hostile documents', () => {
  const good = compile(alone('Help.')).output;

  it.each(Object.keys(documents))('%s', { timeout: 60_000 }, (name) => {
    const document = documents[name];
    const text = JSON.stringify(document);
    expect(text.length).toBeLessThan(megabyte);
    const begin = performance.now();
    const { workflow } = readWorkflow(text);
    const result = compile(workflow ?? document);
    expect(result.status).toMatch(/^(complete|needs-answers|invalid)$/);
    expect(verify(alone('Help.'), document).holds).toBe(false);
    expect(verify(document, good).holds).toBe(false);
    expect(performance.now() - begin).toBeLessThan(limit);
  });
});

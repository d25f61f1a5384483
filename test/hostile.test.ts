/** Hostile documents are handled in time and on a small stack, as a workflow and as a squad. */
import { beforeAll, describe, expect, it } from 'vitest';
import { compile, readWorkflow, verify } from '../src/index.js';
import { temporaryFolder } from './cli/fake-io.js';
import { captures, flow, request } from './compiler/build.js';

/** The length of texts; quadratic work at this size would take minutes. */
const size = 100_000;
const node = (systemPrompt: string, more: object = {}) => ({
  id: 'a',
  type: 'conversation',
  systemPrompt,
  ...more,
});
const alone = (systemPrompt: string) => flow({ a: systemPrompt });
const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at));
const long = (piece: string, most = size) =>
  piece.repeat(Math.floor(most / JSON.stringify(piece).length));
/** Long enough that quadratic work with a small constant is seen. */
const longer = (piece: string) => long(piece, 4 * size);
/** Nodes `n0`, `n1`, …, and the edges that make them a chain. */
const talks = (count: number, prompt = (at: number) => `Say ${at}.`) =>
  times(count, (at) => node(prompt(at), { id: `n${at}` }));
const edge = (from: number, to: number, condition?: string) => {
  return { from: `n${from}`, to: `n${to}`, condition };
};
const chain = (count: number) => times(count - 1, (at) => edge(at, at + 1));
const fan = (count: number) => times(count, (at) => edge(0, at + 1, `c${at}`));

const texts: Readonly<Record<string, string>> = {
  'many outputs': long('{{a}}'),
  'many outputs in a block': `{% if a %}${long('{{a}}')}{% endif %}`,
  'outputs of many variables': times(25_000, (at) => `{{v${at}}} `).join(''),
  'unclosed outputs': long('{{ " '),
  'broken outputs': long('{{ a[1 }}'),
  'open braces': long('{{'),
  'open tags': long('{%'),
  'nameless tags': long('{% %}'),
  'closing braces': long('}}'),
  'nested blocks': `${'{% if a %}'.repeat(10_000)}${'{% endif %}'.repeat(10_000)}`,
  'consecutive blocks': long('{% if a == 1 %}x{% endif %}'),
  'unclosed raw': `{% raw %}${long('{{a}}')}`,
  'unclosed ends of raw': `{% raw %}${long('{% endraw ')}`,
  'one long filter chain': `{{ a ${long('| upcase ')} }}`,
  'a long path': `{{ a${long('.b')} }}`,
  'nested brackets': `{{ a${'[b'.repeat(30_000)}${']'.repeat(30_000)} }}`,
  quotes: `{{ ${'"'.repeat(100_000)} }}`,
  'lines to say': `Say: "${long('"\nSay: "')}"`,
  'blank lines': `Say: "a"${'\n'.repeat(100_000)}b`,
  'white space': `{{${long(' ')}a}}`,
  'a comment without end': `{% comment %}${long('{% if %}')}`,
  'squadc’s own wording': long('Step 1\n- when x, go to step 2\nYou are the assistant "a".\n'),
  'a chain of assignments': times(5000, (at) => `{% assign v${at} = v${at + 1} %}`).join(''),
};

const list = times(20_000, () => 'x');
const conditions = [
  'a == 1 && ',
  '(',
  '!',
  'a[',
  '" \u201c',
  "x) == (y '",
  '== ',
  'a == ',
  '!!=',
  '||b',
];
const urls = ['${', 'key=b&', '?key=b', '://a@', '://a:b@c/', '?', ' .', '<a ', '{'];
const unlike = longer('a');

const documents: Readonly<Record<string, unknown>> = {
  ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, alone(text)])),
  ...Object.fromEntries(
    conditions.map((part) => [
      `a condition of ${part}`,
      flow({ a: 'x', b: 'y', c: 'z' }, [`a > b: a == 1 && ${long(part)}`, 'a > c']),
    ]),
  ),
  ...Object.fromEntries(
    urls.map((part) => {
      const url = `https://api.example.com/?${longer(part)}a`;
      return [`a url of ${part}`, flow({ a: 'x', t: request({ url, method: 'POST' }) }, 'a > t')];
    }),
  ),
  'a url of many secrets': flow(
    { a: 'x', t: request({ url: times(20_000, (at) => `?token=secret${at}&`).join('') }) },
    'a > t',
  ),
  'a header of one word beside an output': flow(
    { a: 'x', t: request({ headers: { Authorization: `${longer('a')}{{b}}` } }) },
    'a > t',
  ),
  'long secrets': flow(
    {
      a: 'x',
      t: request({
        headers: Object.fromEntries(times(12, (at) => [`Token-${at}`, longer(`b${at}`)])),
      }),
    },
    'a > t',
  ),
  'negations before a sign': flow({ a: 'x', b: 'y', c: 'z' }, [
    `a > b: a ${longer('!')}= 1`,
    'a > c',
  ]),
  'a name of underscores': flow({ a: node('x', { name: `a${longer('_')}b` }) }),
  'a long id that is misspelt': {
    nodes: [node('x', { id: `${unlike}b` })],
    edges: [{ from: `${unlike}b`, to: `${unlike}c` }],
  },
  'a squad whose entry line never ends': {
    members: [
      {
        assistant: {
          name: 'a',
          model: { messages: [{ content: `Known on entry: ${longer('{{')}` }] },
        },
      },
    ],
  },
  'nodes with the same name': {
    nodes: times(600, (at) => node('x', { id: `n${at}`, name: 'a' })),
    edges: times(600, (at) => edge(at >> 1, at, `c${at}`)),
  },
  'nodes with the same id': { nodes: times(2000, () => node('x')), edges: [] },
  'a chain of nodes with the same text': { nodes: talks(1500, () => 'Same.'), edges: chain(1500) },
  'a long cycle': {
    nodes: talks(1500),
    edges: [...chain(1500), edge(1499, 1, 'again')],
  },
  'branches that rejoin': {
    nodes: talks(600),
    edges: times(598, (at) => [edge(0, at + 1, `c${at}`), edge(at + 1, 599)]).flat(),
  },
  'branches that each read a variable': {
    nodes: [
      node('x', { id: 'n0', ...captures(...times(2000, (at) => `v${at}`)) }),
      ...talks(2001, (at) => `{{v${at - 1}}}`).slice(1),
    ],
    edges: fan(2000),
  },
  'parallel edges': { nodes: talks(2), edges: times(2000, (at) => edge(0, 1, `c${at}`)) },
  'edges to nowhere': { nodes: talks(1), edges: fan(3000) },
  'captures with the same name': flow({
    a: { ...node('{{a}}'), ...captures(...times(1500, () => 'a')) },
  }),
  'unknown fields': flow({ a: 'x' }, '', Object.fromEntries(times(20_000, (at) => [`f${at}`, at]))),
  'elements of a body': flow({ a: 'x', t: request({ body: { list } }) }, 'a > t'),
  'deep nesting': JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`),
  'branches and global nodes': {
    nodes: [
      ...talks(500),
      ...times(500, (at) => node('g', { id: `g${at}`, isGlobal: true, condition: `about ${at}` })),
    ],
    edges: fan(499),
  },
  'more nodes than are read': { nodes: talks(60_000), edges: chain(60_000) },
  'nodes that are all global': {
    nodes: talks(4000).map((each) => ({ ...each, isGlobal: true, condition: each.systemPrompt })),
    edges: [],
  },
  'a chain of tools with many predecessors': {
    nodes: [...talks(301), ...times(300, (at) => request({ id: `n${at + 301}` }))],
    edges: [
      ...fan(300),
      ...times(300, (at) => edge(at + 1, 301)),
      ...times(299, (at) => edge(at + 301, at + 302)),
    ],
  },
};

const ballast: readonly number[] = times(1000, () => 0);

/** Runs with a seventh of the usual stack left; each level uses 8 kB for its arguments. */
function deep<T>(run: () => T, levels = 105, ..._: readonly number[]): T {
  return levels === 0 ? run() : deep(run, levels - 1, ...ballast);
}

describe('hostile documents', () => {
  const good = compile(alone('Help.')).output;
  const judge = (document: unknown) => {
    const text = JSON.stringify(document);
    const begin = process.cpuUsage();
    deep(() => {
      const { workflow } = readWorkflow(text);
      const result = compile(workflow ?? document);
      expect(result.status).toMatch(/^(complete|needs-answers|invalid)$/);
      expect(verify(alone('Help.'), document).holds).toBe(false);
      expect(verify(document, good).holds).toBe(false);
    });
    const { user, system } = process.cpuUsage(begin);
    return user + system;
  };

  it('compile with little stack left', () => {
    const sum = (count: number): number => (count === 0 ? 0 : 1 + sum(count - 1));
    expect(() => deep(() => sum(1500))).toThrow(RangeError);
    expect(sum(1500)).toBe(1500);
  });

  const plain = { name: 'chain', nodes: talks(3000), edges: chain(3000) };
  let usual = 0;
  beforeAll(() => {
    usual = judge(plain);
  }, 60_000);

  // This holds on any machine, loaded or not: quadratic work would take a hundred times as long.
  it.each(Object.keys(documents))(
    '%s take at most three times as long as a chain',
    (name) => {
      expect(judge(documents[name]) / usual).toBeLessThan(3);
    },
    60_000,
  );

  it('are reported with every place in time, too', async () => {
    const { put, squadc } = temporaryFolder();
    const fields = times(25_000, (at) => [`unknown ${at}`, at]);
    const many = { ...alone('Help.'), ...Object.fromEntries(fields) };
    put('many.json', JSON.stringify(many, null, 1));
    const begin = process.cpuUsage();
    expect((await squadc('compile many.json')).exitCode).toBe(0);
    const { user, system } = process.cpuUsage(begin);
    expect((user + system) / usual).toBeLessThan(3);
  }, 60_000);
});

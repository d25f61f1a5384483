/**
 * The pages of a run: which files are written, and what each page says, as text without its markup;
 * UPDATE_GOLDENS=1 writes the texts anew; read the difference before it is committed.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/index.js';
import { renderPage } from '../../src/report/page/page.js';
import { NotASummary } from '../../src/report/read-summary.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { runs, seed } from '../seed.js';
import {
  exampleOf,
  expectFiles,
  goldenText,
  putPages,
  putRun,
  putSummary,
  rowWith,
} from './example-run.js';

const goldens = [
  ...['worked-pattern', 'pass-arguments', 'cycle-open'],
  ...['missing-endpoint-open', 'edges-to-nowhere'],
];
const sources = {
  ...Object.fromEntries(goldens.map((name) => [name, goldenText(name)])),
  broken: '{"nodes": [',
};
const failed = rowWith({
  ...{ key: 'gone-0badcafe', folder: 'gone-0badcafe', status: 'failed' },
  failure: { code: 'batch/vanished', message: 'it is gone' },
});

const plan = { variableExtractionPlan: { schema: { properties: { x: {} } } } };
const to = (assistantName: string, more: object = {}) => ({
  type: 'handoff',
  destinations: [{ assistantName, description: `when ${assistantName}`, ...more }],
});
const member = (name: string, ...tools: object[]) => {
  return { assistant: { name, model: { tools } } };
};

/** The text of a page, a line for each part of it, without its pictures and scripts. */
function textOf(page: string): string {
  const text = page
    .replaceAll(/<(style|script|svg)\b[\s\S]*?<\/\1>/g, '')
    .replaceAll(/<\/?(?:a|b|code|em|span|strong|i)\b[^>]*>/g, '')
    .replaceAll(/<[^>]*>/g, '\n')
    .replaceAll(/&#(\d+);/g, (_, sign) => String.fromCodePoint(Number(sign)));
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
  return `${lines.filter((line) => line !== '').join('\n')}\n`;
}

describe('the pages of a run', () => {
  const { folder } = temporaryFolder();
  let keys: string[] = [];
  let made: Awaited<ReturnType<typeof putPages>>;
  beforeAll(async () => {
    keys = (await putRun(folder, sources, [failed])).map(({ result }) => result.key);
    made = await putPages(folder);
  });

  it('say what is expected', () => {
    const names = Object.keys(sources);
    const pages = names.map((name, at) => [name, `${keys[at]}/report.html`] as const);
    const texts = [...pages, ['summary', 'summary.html'] as const].map(
      ([name, path]) => [`${name}.txt`, textOf(made.written.get(path) ?? '')] as const,
    );
    expectFiles('pages', Object.fromEntries(texts));
  });

  it('are one for each result, one for all and a script, the same each time', async () => {
    const pages = keys.map((key) => `${key}/report.html`);
    expect([...made.written.keys()]).toEqual([...pages, 'squadc.js', 'summary.html']);
    const workflows = keys.length + 1;
    expect(made.report).toEqual({ workflows, pages: keys.length, foreign: [], unread: [] });
    expect(made.written.get(pages[0]!)).toContain('href="../summary.html"');
    expect(made.written.get('summary.html')).toContain(`href="./${pages[0]}"`);
    expect((await putPages(folder)).written).toEqual(made.written);
    const all = [...made.written.values()].join('');
    for (const path of [folder, process.cwd()]) expect(all).not.toContain(path);
    expect(all).not.toMatch(/\b\d{4}-\d\d-\d\dT\d\d:/);
    const { report: blocked } = await putPages(folder, 'all', 'foreign');
    expect(blocked.foreign).toEqual([...pages, 'squadc.js', 'summary.html']);
  });
});

describe('the files of a report', () => {
  it('link the result if there is no page, and nothing if there is neither', async () => {
    const { folder } = temporaryFolder();
    const [pattern] = await putRun(folder, { a: goldenText('worked-pattern') }, [failed]);
    const { written } = await putPages(folder, 'none');
    expect([...written.keys()]).toEqual(['squadc.js', 'summary.html']);
    expect(written.get('summary.html')).toContain(`href="./${pattern!.result.key}/result.json"`);
    expect(written.get('summary.html')).not.toContain('./gone-0badcafe');
  });

  it('list of a large run those that need somebody, the most urgent first', async () => {
    const { folder } = temporaryFolder();
    const rows = Array.from({ length: 5_002 }, (_, index) => {
      const status = index === 5_001 ? 'invalid' : index === 0 ? 'complete' : 'needs-answers';
      return rowWith({ name: `w${index}`, status });
    });
    await putSummary(folder, rows);
    const text = textOf((await putPages(folder)).written.get('summary.html')!);
    expect(text).toContain('5,001 of 5,002 workflows need attention. The 5,000 most urgent');
    expect(text.match(/^w\d+$/gm)).toHaveLength(5_000);
    expect(text.match(/^w\d+$/m)?.[0]).toBe('w5001');
  });

  it('leave out results that cannot be read, which are named', async () => {
    const { folder } = temporaryFolder();
    const [pattern, cycle, endpoint, ...others] = (await putRun(folder, sources)).map(
      ({ result }) => result.key,
    );
    rmSync(join(folder, pattern!, 'squad.json'));
    writeFileSync(join(folder, cycle!, 'result.json'), '{"half": ');
    writeFileSync(join(folder, endpoint!, 'result.json'), '{"key": "other"}');
    const { report } = await putPages(folder);
    expect(report.pages).toBe(others.length);
    expect(report.unread).toEqual([
      { key: pattern, reason: 'squad.json cannot be read' },
      { key: cycle, reason: 'result.json cannot be read' },
      { key: endpoint, reason: 'result.json was not written by squadc' },
    ]);
  });

  it('have no secrets, though the squad has them', async () => {
    const { folder } = temporaryFolder();
    const secret = 'sk-live-0123456789abcdef';
    const talk = { id: 'talk', type: 'conversation', systemPrompt: `Never say ${secret}.` };
    const request = { type: 'apiRequest', url: 'https://example.test', method: 'GET' };
    const ask = { id: 'ask', ...request, headers: { Authorization: secret } };
    const workflow = { name: 'S', nodes: [talk, ask], edges: [{ from: 'talk', to: 'ask' }] };
    const [example] = await putRun(folder, { s: JSON.stringify(workflow) });
    expect(example?.result.status).toBe('complete');
    expect(JSON.stringify(example?.squad)).toContain(secret);
    const pages = [...(await putPages(folder)).written.values()];
    expect(pages[0]).toContain('Never say ••••.');
    expect(pages.join('\n')).not.toContain(secret);
  });

  it('are read and written nowhere else, and only for a summary of ours', async () => {
    const { folder, put } = temporaryFolder();
    for (const other of ['..', '../elsewhere', 'a/../..', '/etc', '', 'A b', 'ab/c/d']) {
      await putSummary(folder, [rowWith({ folder: other })]);
      await expect(putPages(folder)).rejects.toThrow(NotASummary);
    }
    for (const text of ['{"other": 1}', '{"squadc":"0.1.0","workflows":[]}', 'null']) {
      put('summary.json', text);
      await expect(putPages(folder)).rejects.toThrow(NotASummary);
    }
  });
});

it('a page can be made of any squad', () => {
  const { result } = exampleOf(goldenText('worked-pattern'));
  const keys = ['squad', 'members', 'assistant', 'model', 'tools', 'destinations', '__proto__'];
  const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 8 },
      fc.constantFrom<Json>(null, 'text', 1, true),
      fc.array(tie('tree'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom(...keys), tie('tree'), { noNullPrototype: true }),
    ),
  }));
  fc.assert(
    fc.property(tree, fc.array(tree), (squad, members) => {
      for (const each of [squad, { squad: { members } }]) {
        const page = renderPage(result, each, []);
        const ids = Array.from(
          page.matchAll(/<g class="node[^>]* data-id="([^"]*)"/g),
          ([, id]) => id,
        );
        expect(new Set(ids).size).toBe(ids.length);
      }
    }),
    { seed, numRuns: runs(30) },
  );
});

it.each<[why: string, members: object[], call: string]>([
  [
    'one assistant',
    [member('a')],
    'The longest call: 1 assistant, 0 handoffs, 0 extra model calls.',
  ],
  [
    'the most handoffs',
    [member('a', to('d', plan), to('b')), member('b', to('c', plan)), member('c', to('d'))],
    'The longest call: 3 assistants, 2 handoffs, 1 extra model call.',
  ],
  [
    'then the most extractions',
    [member('a', to('b'), to('c', plan)), member('b'), member('c')],
    'The longest call: 2 assistants, 1 handoff, 1 extra model call.',
  ],
  [
    'each once in a circle',
    [member('a', to('b', plan)), member('b', to('a'), to('c')), member('c')],
    'The longest call without repetition: 3 assistants, 2 handoffs, 1 extra model call.',
  ],
])('the longest call meets %s', (_, members, call) => {
  const { result } = exampleOf(goldenText('worked-pattern'));
  expect(textOf(renderPage(result, { members } as Json, []))).toContain(call);
});

it('a text that was changed since has no sources', () => {
  const { result, squad } = exampleOf(goldenText('worked-pattern'));
  const sourcesIn = (document: Json) =>
    textOf(renderPage(result, document, [])).match(/^.*\/nodes\/2\/systemPrompt.*$/gm) ?? [];
  const changed = JSON.parse(JSON.stringify(squad).replace('Help {{full_name}} to', 'Help to'));
  expect(sourcesIn(squad).length).toBe(sourcesIn(changed).length + 1);
});

/**
 * The pages of a run: which files are written, and what each page says, as text without its markup;
 * UPDATE_GOLDENS=1 writes the texts anew; read the difference before it is committed.
 */
import { readFileSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Json } from '../../src/index.js';
import { renderFleet } from '../../src/report/page/fleet.js';
import { renderPage } from '../../src/report/page/page.js';
import { totalsOf } from '../../src/report/rows.js';
import { NotASummary, readRun } from '../../src/report/summaries.js';
import { rowsOf, Scene } from '../batch/migrating.js';
import { temporaryFolder } from '../cli/fake-io.js';
import { runs, seed } from '../seed.js';
import { exampleOf, expectFiles, goldenText, putSummary, rowWith } from './example-run.js';

const goldens = [
  ...['worked-pattern', 'pass-arguments', 'cycle-open'],
  ...['missing-endpoint-open', 'edges-to-nowhere'],
];
const sources = {
  ...Object.fromEntries(goldens.map((name) => [name, goldenText(name)])),
  broken: '{"nodes": [',
  vanished: '{}',
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

it('the pages of a run say what is expected, and nothing of the machine', async () => {
  const scene = new Scene();
  await scene.run({
    files: Object.fromEntries(
      Object.entries(sources).map(([name, text]) => [`in/${name}.json`, text]),
    ),
    meanwhile: () => ({ before: () => rmSync(scene.at('in/vanished.json'), { force: true }) }),
    hasPages: true,
  });
  const read = (path: string) => readFileSync(scene.at(`out/${path}`), 'utf8');
  const made = rowsOf(scene.at('out')).filter(({ failure }) => failure === undefined);
  const pages = made.map(({ source, folder }): [name: string, page: string] => {
    return [basename(source, '.json'), read(`${folder}/report.html`)];
  });
  pages.push(['summary', read('summary.html')]);
  expectFiles(
    'pages',
    Object.fromEntries(pages.map(([name, page]) => [`${name}.txt`, textOf(page)])),
  );
  for (const [, page] of pages) {
    for (const path of [scene.at(''), process.cwd()]) expect(page).not.toContain(path);
    expect(page).not.toMatch(/\b\d{4}-\d\d-\d\dT\d\d:/);
  }
});

it('the summary of a large run lists those that need attention, the most urgent first', () => {
  const rows = Array.from({ length: 5_002 }, (_, index) => {
    const status = index === 5_001 ? 'invalid' : index === 0 ? 'complete' : 'needs-answers';
    return rowWith({ index, name: `w${index}`, status });
  });
  const input = { squadc: '0.1.0', totals: totalsOf(rows), rows, addressOf: () => '' };
  const text = textOf(renderFleet(input));
  expect(text).toContain('5,001 of 5,002 workflows need attention. The 5,000 most urgent');
  expect(text.match(/^w\d+$/gm)).toHaveLength(5_000);
  expect(text.match(/^w\d+$/m)?.[0]).toBe('w5001');
});

it.each(['..', '../elsewhere', 'a/../..', '/etc', '', 'A b', 'ab/c/d'])(
  'nothing is read or written in the folder %j that a summary names',
  async (other) => {
    const { folder } = temporaryFolder();
    await putSummary(folder, [rowWith({ folder: other })]);
    expect(() => readRun(folder)).toThrow(NotASummary);
  },
);

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
        expect(renderPage(result, each, [])).toContain('</html>');
      }
    }),
    { seed, numRuns: runs(30) },
  );
});

/** Handoffs by the names of their ends; with `*`, they extract something. */
it.each([
  ['one assistant', 'a', ': 1 assistant, 0 handoffs, 0'],
  ['the most handoffs', 'a>d* a>b b>c* c>d', ': 3 assistants, 2 handoffs, 1'],
  ['then the most extractions', 'a>b a>c* b c', ': 2 assistants, 1 handoff, 1'],
  ['each once', 'a>b* b>a b>c c', ' without repetition: 3 assistants, 2 handoffs, 1'],
])('the longest call meets %s', (_, handoffs, counts) => {
  const { result } = exampleOf(goldenText('worked-pattern'));
  const tools = new Map<string, object[]>();
  for (const [, from = '', to, extracts] of handoffs.matchAll(/(\w)(?:>(\w)(\*)?)?/g)) {
    const plan = extracts && { variableExtractionPlan: { schema: { properties: { x: {} } } } };
    const destinations = to ? [{ assistantName: to, description: `when ${to}`, ...plan }] : [];
    tools.set(from, [...(tools.get(from) ?? []), { type: 'handoff', destinations }]);
  }
  const members = Array.from(tools, ([name, tools]) => ({ assistant: { name, model: { tools } } }));
  const page = renderPage(result, { members } as Json, []);
  expect(textOf(page)).toMatch(new RegExp(`The longest call${counts} extra model calls?\\.`));
});

it('a text that was changed since has no sources', () => {
  const { result, squad } = exampleOf(goldenText('worked-pattern'));
  const sourcesIn = (document: Json) =>
    textOf(renderPage(result, document, [])).match(/^.*\/nodes\/2\/systemPrompt.*$/gm) ?? [];
  const changed = JSON.parse(JSON.stringify(squad).replace('Help {{full_name}} to', 'Help to'));
  expect(sourcesIn(squad).length).toBe(sourcesIn(changed).length + 1);
});

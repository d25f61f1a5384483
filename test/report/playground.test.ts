/** The playground in a browser: one file from the disk, without network. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { compile, readWorkflow } from '../../src/index.js';
import { fakeIo, temporaryFolder } from '../cli/fake-io.js';
import {
  expectAccessible,
  expectNoSidewaysScroll,
  noBrowser,
  type OpenPage,
  useBrowser,
} from './browser.js';
import { hostileWorkflow } from './hostile-workflow.js';

const file = 'src/report/playground.generated.html';
const { open } = useBrowser();
const temporary = temporaryFolder();

const golden = (name: string) => readFileSync(`golden/${name}/input.json`, 'utf8');

const goldens = [
  'worked-pattern',
  'cycle-open',
  'missing-endpoint-open',
  'conflicting-settings-open',
];

/** Three workflows of others, those that ask the most. */
function fromCorpus(): [name: string, text: string][] {
  const corpus = process.env['SQUADC_CORPUS'];
  if (corpus === undefined) return [];
  const names = readdirSync(corpus).filter((name) => name.endsWith('.json'));
  const all = names.map((name) => {
    const text = readFileSync(join(corpus, name), 'utf8');
    const { status, questions } = compile(readWorkflow(text).workflow);
    return { name, text, rank: status === 'invalid' ? -1 : questions.length };
  });
  const first = all.sort((a, b) => b.rank - a.rank || b.text.length - a.text.length).slice(0, 3);
  return first.map(({ name, text }) => [name, text]);
}

const sources = [...goldens.map((name) => [name, golden(name)] as const), ...fromCorpus()];

async function paste(page: OpenPage, text: string): Promise<void> {
  await page.fill('#workflow', '');
  await expect.poll(() => page.textContent('#status')).toBe('');
  await page.fill('#workflow', text);
  await expect.poll(() => page.textContent('#status')).not.toBe('');
}

async function download(page: OpenPage, name: string): Promise<string> {
  const [started] = await Promise.all([
    page.waitForEvent('download'),
    page.click(`[data-file="${name}"]`),
  ]);
  return readFileSync(await started.path(), 'utf8');
}

/** The squad that the command gives for the files of the playground. */
async function compiled(text: string, answers: string | null): Promise<string> {
  const flags = answers === null ? [] : ['--answers', temporary.put('answers.json', answers)];
  const io = fakeIo({ cwd: temporary.folder });
  const source = temporary.put('workflow.json', text);
  expect(await run(['compile', source, ...flags], io)).toBe(0);
  return io.out();
}

it('is written by the command, or found by its address', async () => {
  const io = fakeIo({ cwd: temporary.folder });
  expect(await run(['playground', '-o', 'page.html'], io)).toBe(0);
  const page = readFileSync(file, 'utf8');
  expect(readFileSync(join(temporary.folder, 'page.html'), 'utf8')).toBe(page);
  expect(await run(['playground'], io)).toBe(0);
  expect(readFileSync(new URL(io.out().trim()), 'utf8')).toBe(page);
});

it('is under 450 kB as it is sent', () => {
  expect(gzipSync(readFileSync(file)).length).toBeLessThan(450_000);
});

describe.skipIf(noBrowser)('in a browser', () => {
  it.each(sources)('gives the squad of the command for %s', async (_, text) => {
    const page = await open(file);
    await paste(page, text);
    let asked = 0;
    for (; (await page.locator('fieldset.question').count()) > 0; asked += 1) {
      expect(asked).toBeLessThan(9);
      const question = page.locator('fieldset.question').first();
      if ((await question.locator('input[value="request"]').count()) > 0) {
        await question.locator('input[value="request"]').check();
        const fields = question.locator('[data-value="request"]');
        await fields.locator('[data-name="\\"url\\""]').fill('https://api.example.com/slots');
        await fields.getByLabel(/^\s*method/).selectOption({ label: 'GET' });
      } else if ((await question.locator('input:checked').count()) === 0) {
        await question.locator('input').first().check();
      }
      await question.locator('[data-answer]').click();
    }
    expect(await page.textContent('#status')).toMatch(/^Complete and verified/);
    const answers = asked === 0 ? null : await download(page, 'answers.json');
    expect(await download(page, 'squad.json')).toBe(await compiled(text, answers));
    expect(page.faults).toEqual([]);
  });

  it('says what is wrong beside the field, and takes an answer back', async () => {
    const page = await open(file);
    await paste(page, golden('missing-endpoint-open'));
    const question = page.locator('fieldset.question').first();
    await question.locator('input[value="request"]').check();
    await question.locator('[data-answer]').click();
    expect(await question.locator('.fault').textContent()).toContain('value must have “url”');
    await paste(page, golden('cycle-open'));
    await page.waitForSelector('input[value="keep-split"]');
    await page.check('input[value="keep-split"]');
    await page.click('[data-answer]');
    expect(await page.textContent('#answers')).toContain('keep-split');
    await page.click('[data-take-back]');
    expect(await page.locator('fieldset.question').count()).toBe(1);
    expect(page.faults).toEqual([]);
  });

  it('shows a squad as soon as 30 nodes are pasted', async () => {
    const ids = Array.from({ length: 29 }, (_, index) => `stage_${index}`);
    const talks = ids.map((id) => ({ id, type: 'conversation', systemPrompt: `Talk of ${id}.` }));
    const edges = ids.slice(1).map((to, at) => {
      return { from: ids[Math.floor(at / 2)], to, condition: `they want ${to}` };
    });
    const ends = ids.slice(14).map((from) => ({ from, to: 'bye' }));
    const nodes = [...talks, { id: 'bye', type: 'endCall' }];
    const text = JSON.stringify({ name: 'Thirty', nodes, edges: [...edges, ...ends] });
    const page = await open(file);
    await page.evaluate(`
      document.querySelector('#workflow').value = ${JSON.stringify(text)};
      document.querySelector('#workflow').dispatchEvent(new ClipboardEvent('paste'));`);
    await page.locator('#outcome svg').first().waitFor();
    expect(await page.textContent('#status')).toMatch(/^Complete and verified: 30 nodes/);
  });

  it('walks every edge of the worked pattern', async () => {
    const page = await open(file);
    await paste(page, golden('worked-pattern'));
    await page.click('[data-begin]');
    const walk = async (branch: number) => {
      await page.click('[data-choice="0"]');
      await page.click(`[data-choice="${branch}"]`);
      await page.click('[data-choice="0"]');
      const text = await page.innerText('#call');
      await page.click('[data-back]');
      await page.click('[data-back]');
      await page.click('[data-back]');
      return text;
    };
    const [booking, payment] = [await walk(0), await walk(1)];
    expect(booking).toContain('booking, carries full_name');
    expect(booking).toContain('Help «full_name» to find a free appointment');
    expect(booking).toContain('The call has ended.');
    expect(payment).toContain('payment, carries full_name');
    await page.locator('#values summary').click();
    await page.fill('[data-variable="full_name"]', 'Ada');
    await page.press('[data-variable="full_name"]', 'Tab');
    await page.click('[data-choice="0"]');
    await page.click('[data-choice="0"]');
    expect(await page.innerText('.prompt')).toContain('Help Ada to find');
    expect(page.faults).toEqual([]);
  });

  it('puts a workflow and its answers into a link, without its secrets', async () => {
    const page = await open(file);
    const workflow = JSON.parse(golden('cycle-open'));
    workflow.nodes[0].headers = { Authorization: 'Bearer sk-live-0123456789' };
    await paste(page, JSON.stringify(workflow));
    await page.click('[data-answer]');
    await page.click('[data-copy="link"]');
    await expect.poll(() => page.url()).toContain('#w1.');
    const other = await open(file);
    await other.evaluate(`location.hash = ${JSON.stringify(new URL(page.url()).hash)}`);
    await expect.poll(() => other.textContent('#answers')).toContain('consolidate');
    expect(await other.inputValue('#workflow')).not.toContain('sk-live');
    await other.evaluate("location.hash = '#w1.damaged'");
    expect(other.faults).toEqual([]);
  });

  it.each([
    [1280, 'light'],
    [390, 'dark'],
  ] as const)('stays whole with hostile texts at %d pixels, %s', async (width, colorScheme) => {
    const page = await open(file, { viewport: { width, height: 800 }, colorScheme });
    await paste(page, JSON.stringify(hostileWorkflow));
    await expectNoSidewaysScroll(page);
    await paste(page, '[1, 2');
    expect(await page.textContent('#status')).toMatch(/^Invalid/);
    await expectNoSidewaysScroll(page);
    await paste(page, golden('missing-endpoint-open'));
    await expectAccessible(page);
    expect(page.faults).toEqual([]);
  });
});

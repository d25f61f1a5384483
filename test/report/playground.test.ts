/** The playground in a browser: one file on the disk, without a network. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { compile, readWorkflow } from '../../src/index.js';
import { fakeIo, temporaryFolder } from '../cli/fake-io.js';
import {
  download,
  expectNoSidewaysScroll,
  expectUsable,
  noBrowser,
  type OpenPage,
  useBrowser,
} from './browser.js';
import { goldenText, hostileWorkflow } from './example-run.js';

const file = 'src/report/playground.generated.html';
const browser = useBrowser();
const temporary = temporaryFolder();

/** The three workflows of a corpus that ask the most. */
function fromCorpus(): (readonly [name: string, text: string])[] {
  const corpus = process.env['SQUADC_CORPUS'];
  if (corpus === undefined) return [];
  const names = readdirSync(corpus).filter((name) => name.endsWith('.json'));
  const all = names.map((name) => {
    const text = readFileSync(join(corpus, name), 'utf8');
    const { status, questions } = compile(readWorkflow(text).workflow);
    return { name, text, rank: status === 'invalid' ? -1 : questions.length };
  });
  all.sort((a, b) => b.rank - a.rank || b.text.length - a.text.length);
  return all.slice(0, 3).map(({ name, text }) => [name, text] as const);
}

const sources = [
  ...['worked-pattern', 'cycle-open', 'missing-endpoint-open', 'conflicting-settings-open'].map(
    (name) => [name, goldenText(name)] as const,
  ),
  ...fromCorpus(),
];

async function paste(page: OpenPage, text: string): Promise<void> {
  await page.fill('#workflow', '');
  await expect.poll(() => page.textContent('#status')).toBe('');
  await page.fill('#workflow', text);
  await expect.poll(() => page.textContent('#status')).not.toBe('');
}

it('is written by the command or found at its address, and is under 450 kB when it is sent', async () => {
  const io = fakeIo({ cwd: temporary.folder });
  expect(await run(['playground', '-o', 'page.html'], io)).toBe(0);
  const page = readFileSync(file, 'utf8');
  expect(readFileSync(join(temporary.folder, 'page.html'), 'utf8')).toBe(page);
  expect(await run(['playground'], io)).toBe(0);
  expect(readFileSync(new URL(io.out().trim()), 'utf8')).toBe(page);
  expect(gzipSync(page).length).toBeLessThan(450_000);
});

describe.skipIf(noBrowser)('in a browser', () => {
  it.each(sources)('gives the squad that the command gives: %s', async (_, text) => {
    const page = await browser.open(file);
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
    const flags: string[] = [];
    if (asked > 0) {
      const { text: answers } = await download(page, 'answers.json');
      flags.push('--answers', temporary.put('answers.json', answers));
    }
    const io = fakeIo({ cwd: temporary.folder });
    expect(await run(['compile', temporary.put('workflow.json', text), ...flags], io)).toBe(0);
    expect((await download(page, 'squad.json')).text).toBe(io.out());
    expect(page.faults).toEqual([]);
  });

  it('compiles what is pasted, and takes an answer back', async () => {
    const page = await browser.open(file);
    await page.evaluate(`
      document.querySelector('#workflow').value = ${JSON.stringify(goldenText('ivr-tree'))};
      document.querySelector('#workflow').dispatchEvent(new ClipboardEvent('paste'));`);
    await page.locator('#outcome svg').first().waitFor();
    await page.selectOption('#example', { label: 'A cycle, with a question' });
    await page.check('input[value="keep-split"]');
    await page.click('[data-answer]');
    expect(await page.textContent('#answers')).toContain('keep-split');
    await page.click('[data-take-back]');
    expect(await page.locator('fieldset.question').count()).toBe(1);
    expect(page.faults).toEqual([]);
  });

  it('walks every edge of the worked pattern', async () => {
    const page = await browser.open(file);
    await paste(page, goldenText('worked-pattern'));
    await page.click('[data-begin]');
    for (const [branch, prompt] of ['Help «full_name» to find a free appointment', ''].entries()) {
      for (const choice of [0, branch, 0]) await page.click(`[data-choice="${choice}"]`);
      const text = await page.innerText('#call');
      const name = ['booking', 'payment'][branch];
      for (const part of [`${name}, carries full_name`, prompt, 'The call has ended.']) {
        expect(text).toContain(part);
      }
      for (let step = 0; step < 3; step += 1) await page.click('[data-back]');
    }
    await page.locator('#values summary').click();
    await page.fill('[data-variable="full_name"]', 'Ada');
    await page.press('[data-variable="full_name"]', 'Tab');
    await page.click('[data-choice="0"]');
    await page.click('[data-choice="0"]');
    expect(await page.innerText('.prompt')).toContain('Help Ada to find');
    expect(await page.innerText('.prompt + .facts')).toMatch(/full_name\s+Ada/);
    expect(page.faults).toEqual([]);
  });

  it('puts a workflow and its answers into a link, without its secrets', async () => {
    const page = await browser.open(file);
    const workflow = JSON.parse(goldenText('cycle-open'));
    workflow.nodes[0].headers = { Authorization: 'Bearer sk-live-0123456789' };
    await paste(page, JSON.stringify(workflow));
    await page.click('[data-answer]');
    await page.click('[data-copy="link"]');
    await expect.poll(() => page.url()).toContain('#w1.');
    const other = await browser.open(file);
    await other.evaluate(`location.hash = ${JSON.stringify(new URL(page.url()).hash)}`);
    await expect.poll(() => other.textContent('#answers')).toContain('consolidate');
    expect(await other.inputValue('#workflow')).not.toContain('sk-live');
    await other.evaluate("location.hash = '#w1.damaged'");
    expect(other.faults).toEqual([]);
  });

  it('can be used by everybody, with any texts', async () => {
    await expectUsable(browser, file, async (page) => {
      await paste(page, JSON.stringify(hostileWorkflow));
      await expectNoSidewaysScroll(page);
      await paste(page, '[1, 2');
      expect(await page.textContent('#status')).toMatch(/^Invalid/);
      await expectNoSidewaysScroll(page);
      await paste(page, goldenText('missing-endpoint-open'));
    });
  }, 60_000);
});

/**
 * README and the other pages are correct: their commands exit as stated, their programs type-check
 * and run, and the files that they name exist.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildOnce } from './build-once.js';
import { type JourneyPlatform, secret, startJourneyPlatform } from './cli/platform-server.js';
import { codeBlocks } from './readme/code-blocks.mjs';
import {
  commandsOf,
  missingFiles,
  prepareGround,
  runCommand,
  runProgram,
  typeFaults,
} from './readme/trying.js';

const pages = ['README.md', 'src/ARCHITECTURE.md', 'src/clients/README.md'];
const blocks = pages.flatMap((page) =>
  codeBlocks(readFileSync(page, 'utf8')).map((block) => ({
    ...block,
    where: `${page}:${block.line}`,
  })),
);
const [install, check, ...shells] = blocks.filter(({ language }) => language === 'sh');
const documents = blocks.filter(({ language }) => language === 'json');
/** Programs by page and line, so that a failure says where to look. */
const programs = new Map(
  blocks
    .filter(({ language }) => language === 'ts' || language === 'js')
    .map(({ where, language, code }) => [`${where.replaceAll(/\W+/g, '-')}.${language}`, code]),
);

/** All commands run in one folder, in order: later ones may read what earlier ones wrote. */
const folder = mkdtempSync(join(tmpdir(), 'squadc-readme-'));
const ground = { work: join(folder, 'work'), bin: join(folder, 'bin') };
let platform: JourneyPlatform;

beforeAll(async () => {
  await buildOnce();
  prepareGround(ground);
  // The pages mention `workflow.json`, the worked pattern, and a program in `app`.
  cpSync('golden', join(ground.work, 'golden'), { recursive: true });
  cpSync('golden/worked-pattern/input.json', join(ground.work, 'workflow.json'));
  mkdirSync(join(ground.work, 'app'));
  // Documents that a page names before it shows them.
  const named = readFileSync('README.md', 'utf8').matchAll(
    /`([\w-]+\.json)`:\n\n```json\n(.*?)```/gs,
  );
  for (const [, name = '', text = ''] of named) writeFileSync(join(ground.work, name), text);
  const start = "calls.create({ workflowId: 'wf-clinic' });\n";
  writeFileSync(join(ground.work, 'app/start.js'), start);
  platform = await startJourneyPlatform();
}, 600_000);

afterAll(async () => {
  await platform.close();
  rmSync(folder, { recursive: true, force: true });
});

it('README opens with the two commands for a new machine, one line each', () => {
  expect(install?.code).toMatch(
    /^npm (?:ci|install)\b.*\bnpm run build\b.*(?:\bsquadc|\bdist\/cli\.js) compile\b.*$/,
  );
  expect(check?.code).toMatch(/^npm (?:ci|install)\b.*\bnpm (?:run )?test\b.*$/);
});

const commands = shells.flatMap(({ where, code }) =>
  commandsOf(code).map((command) => ({ where, ...command })),
);
it.each(commands)('$where: $text exits with $exit', async (command) => {
  const called = { ...ground, platform: { address: platform.baseUrl, key: secret } };
  const { exit, printed } = await runCommand(command, called);
  expect(exit, printed).toBe(command.exit);
  expect(printed).not.toContain(secret);
});

it('README shows what the check of a squad from elsewhere prints', async () => {
  const text = 'squadc check pizza.json draft.json';
  const { printed } = await runCommand({ text, exit: 2 }, ground);
  const [shown = ''] = blocks.flatMap(({ code }) => (code.startsWith('undecided:') ? [code] : []));
  expect(shown).not.toBe('');
  expect(printed.startsWith(`${shown.trimEnd()}\n`)).toBe(true);
});

it('the programs on the pages have no type errors', () => {
  expect(typeFaults(ground.work, programs)).toEqual([]);
});

it.each([...programs])('%s runs', (name, code) => {
  expect(runProgram(ground.work, name, code)).toBe('ran');
});

it.each(pages)('%s names existing files', (page) => {
  expect(missingFiles(page)).toEqual([]);
});

it.each(documents)('$where is JSON', ({ code }) => {
  expect(() => JSON.parse(code)).not.toThrow();
});

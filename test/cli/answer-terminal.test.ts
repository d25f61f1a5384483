/**
 * `squadc answer` in a real terminal: the binary behind a pseudo-terminal, by way of util-linux's
 * `script`, which every Debian has. Without it these tests are skipped.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { goldenText, keys, pick, writeRun } from './answering.js';
import { buildBinary } from './built-binary.js';
import { hasScript, inTerminal } from './in-terminal.js';
import { temporaryFolder } from './temporary-folder.js';

// Inside node_modules, so that the packages are found.
const built = join('node_modules', '.cache', `squadc-answer-test-${process.pid}`);
const binary = join(process.cwd(), built, 'dist', 'cli.js');
const { folder } = temporaryFolder();
const at = { binary, folder };

const key = 'moving-company-0a1b2c3d';
const asks = 'What shall be done?';

describe.skipIf(!hasScript)(
  'squadc answer in a terminal (skipped without util-linux script)',
  () => {
    beforeAll(async () => {
      await buildBinary(join(built, 'dist'));
      copyFileSync('package.json', join(built, 'package.json'));
      writeRun(folder, [{ key, text: goldenText('saved-answers-with-a-policy') }]);
    });
    afterAll(() => rmSync(built, { recursive: true, force: true }));

    const answers = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

    it('asks, saves and ends at Ctrl-C', async () => {
      const { code, screen } = await inTerminal(at, 'answer out --answers a.json', [
        [asks, ...pick(0)],
        ['A phone number', '+4930123456', keys.enter],
        [asks, ...pick(1)],
        ['header:', keys.ctrlC],
      ]);
      expect(code).toBe(2);
      expect(screen).toContain('1 question answered, 0 skipped, 2 left');
      expect(screen).toContain('\u001b[36m');
      // The cursor is shown again.
      expect(screen.lastIndexOf('\u001b[?25h')).toBeGreaterThan(screen.lastIndexOf('\u001b[?25l'));
      expect(answers('a.json').workflows[key].answers).toEqual({
        'missing-destination:planner': {
          choice: 'number',
          value: '+4930123456',
          subject: expect.any(String),
        },
      });
    });

    it('ends at Ctrl-D, and paints nothing with NO_COLOR', async () => {
      const env = { NO_COLOR: '1' };
      const { code, screen } = await inTerminal(at, 'answer out', [[asks, keys.ctrlD]], env);
      expect(code).toBe(2);
      expect(screen).toContain('0 questions answered, 0 skipped, 3 left');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are written with them
      expect(screen).not.toMatch(/\u001b\[(?:3\d|9\d)m/);
    });

    it('is no terminal behind a pipe', () => {
      const { status, stderr } = spawnSync(process.execPath, [binary, 'answer', 'out'], {
        cwd: folder,
        encoding: 'utf8',
        input: '\r\r\r',
      });
      expect(status).toBe(64);
      expect(stderr).toContain('questions are asked in a terminal, and this is none');
    });
  },
);

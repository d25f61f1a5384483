/**
 * The whole way of a team, with the binary as a process and a platform on this machine:
 *
 *     pull ─▶ migrate ─▶ answer ─▶ migrate ─▶ report ─▶ check ─▶ push ─▶ callers ─▶ rollback
 *
 * Each command line is one that README shows. How long each takes is reported, not judged.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildBinary, hasScript, inTerminal, keys, migrateThreads } from './answering.js';
import { temporaryFolder } from './fake-io.js';
import { type JourneyPlatform, journeySecret, startJourneyPlatform } from './platform-server.js';

// Inside node_modules, so that the packages are found.
const built = join('node_modules', '.cache', `squadc-journey-${process.pid}`);
const binary = join(process.cwd(), built, 'dist', 'cli.js');
const { folder, put } = temporaryFolder();
const env = { PATH: process.env['PATH'], API_KEY: journeySecret };

let platform: JourneyPlatform;
const squads = () => [...platform.held.values()].filter((each) => 'members' in each);
const took = new Map<string, number>();

interface Ended {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line; one that did not end as expected shows what it wrote. */
async function squadc(line: string, exitCode = 0): Promise<Ended> {
  const begun = performance.now();
  const args = line.split(' ');
  const ended = await new Promise<Ended>((resolve) => {
    execFile(process.execPath, [binary, ...args], { cwd: folder, env }, (error, out, err) => {
      resolve({ exitCode: typeof error?.code === 'number' ? error.code : 0, out, err });
    });
  });
  tookSince(begun, line);
  expect(ended, line).toMatchObject({ exitCode });
  expect(ended.out + ended.err).not.toContain(journeySecret);
  return ended;
}

function tookSince(begun: number, line: string): void {
  took.set(`${took.size + 1}. squadc ${line.split(' ')[0]}`, performance.now() - begun);
}

const read = (path: string) => readFileSync(join(folder, path), 'utf8');
const json = (path: string) => JSON.parse(read(path));
const keysOf = (out: string) =>
  readdirSync(join(folder, out)).filter((name) =>
    existsSync(join(folder, out, name, 'result.json')),
  );

describe.skipIf(!hasScript)(
  'from the platform and back (skipped without util-linux script)',
  () => {
    beforeAll(async () => {
      await buildBinary(join(built, 'dist'), migrateThreads);
      copyFileSync('package.json', join(built, 'package.json'));
      platform = await startJourneyPlatform();
      mkdirSync(join(folder, 'app'));
      put('app/start.js', "calls.create({ workflowId: 'wf-clinic', customer });\n");
      put('app/night.json', '{ "workflowId": "wf-garage" }\n');
    }, 120_000);

    afterAll(async () => {
      await platform?.close();
      rmSync(built, { recursive: true, force: true });
      const lines = [...took].map(([name, time]) => `  ${name}  ${Math.round(time)} ms`);
      const whole = [...took.values()].reduce((sum, time) => sum + time, 0);
      console.log([...lines, `  the whole way  ${(whole / 1000).toFixed(1)} s`].join('\n'));
    });

    it('moves two workflows, and takes all of it back', async () => {
      const address = `--base-url ${platform.baseUrl} --key-env API_KEY`;
      await squadc(`pull wf-clinic wf-garage ${address} -o workflows`);
      expect(readdirSync(join(folder, 'workflows'))).toEqual(['wf-clinic.json', 'wf-garage.json']);

      const first = await squadc('migrate workflows -o out --target vapi', 2);
      expect(first.err).toContain('1 complete\n1 with open questions\n');
      expect(first.err).toContain('next: squadc answer out');

      const begun = performance.now();
      const answered = await inTerminal({ binary, folder }, 'answer out', [
        // The proposal is the nearest name there is.
        ['proposed: “customer_name”', keys.enter],
        ['The name of a variable', keys.enter],
      ]);
      tookSince(begun, 'answer');
      expect(answered.screen).toContain('1 question answered, 0 skipped, 0 left');
      expect(answered.code).toBe(0);

      const second = await squadc(
        'migrate workflows -o out --target vapi --answers out/answers.json',
      );
      expect(second.err).toContain('2 complete\n');
      expect(json('out/summary.json').totals).toMatchObject({
        byStatus: { complete: 2 },
      });

      const folders = keysOf('out');
      await squadc('report out');
      for (const key of folders)
        expect(read(`out/${key}/report.html`)).toContain('<!doctype html>');
      expect(read('out/summary.html')).toContain(`${folders[0]}/report.html`);

      for (const key of folders) {
        const { source } = json(`out/${key}/result.json`);
        const files = `${source} out/${key}/squad.json --result out/${key}/result.json`;
        expect((await squadc(`check ${files}`)).err + read(`out/${key}/squad.json`)).toBeTruthy();
      }

      const pushed = folders.map((key) => `out/${key}/squad.json`).join(' ');
      expect((await squadc(`push ${pushed} ${address}`)).err).toContain('nothing was sent');
      expect(squads()).toEqual([]);
      await squadc(`push ${pushed} ${address} --yes`);
      const names = squads().map(({ name }) => name);
      expect(names.sort()).toEqual(['Clinic desk', 'Garage desk']);

      const callers = 'callers app --journal squadc-journal.jsonl';
      expect((await squadc(callers)).out).toContain('-calls.create({ workflowId:');
      await squadc(`${callers} --write`);
      const idOf = (name: string) =>
        squads().find((squad) => squad['name'] === name)?.['id'] ?? 'none';
      expect(read('app/start.js')).toContain(`squadId: '${idOf('Clinic desk')}'`);
      expect(json('app/night.json')).toEqual({ squadId: idOf('Garage desk') });

      expect((await squadc(`rollback --key-env API_KEY`)).err).toContain('2 squads to take back');
      await squadc('rollback --key-env API_KEY --yes');
      expect(squads()).toEqual([]);
      const again = await squadc('rollback --key-env API_KEY --yes');
      expect(again.err).toBe('nothing to take back\n');
    }, 180_000);
  },
);

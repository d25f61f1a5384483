/** The answers of a migration, taken by the commands for one workflow. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { here, migrate, rowsOf } from '../batch/migrating.js';
import { goldenText } from './answering.js';
import { fakeIo } from './fake-io.js';
import { temporaryFolder } from './temporary-folder.js';

const { folder } = temporaryFolder();
const question = 'missing-destination:planner';
const auth = { policies: { 'missing-auth': 'none' } };

async function squadc(cwd: string, ...argv: string[]) {
  const io = fakeIo({ cwd });
  return { code: await run(argv, io), out: io.out(), err: io.err() };
}

/** The answers of a run, by what they say of the workflow's question. */
let key = '';
let subject = '';
const put = (answer: object | null, name = key) => {
  const workflows = answer === null ? {} : { [name]: { answers: { [question]: answer } } };
  writeFileSync(join(folder, 'out/answers.json'), JSON.stringify({ ...auth, workflows }));
};
const number = { choice: 'number', value: '+4930123456' };

beforeAll(async () => {
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'in/mover.json'), goldenText('saved-answers-with-a-policy'));
  await migrate(['in', '-o', 'out', '--no-report'], { cwd: folder }, here());
  key = rowsOf(join(folder, 'out'))[0]!.key;
  const result = JSON.parse(readFileSync(join(folder, 'out', key, 'result.json'), 'utf8'));
  subject = result.questions.find(({ id }: { id: string }) => id === question).subject;
});

describe('answers of a migration', () => {
  it('are taken by compile, check, graph and scenarios', async () => {
    put({ ...number, subject });
    const answers = ['--answers', 'out/answers.json'];
    const made = await squadc(folder, 'compile', 'in/mover.json', ...answers, '-o', 'squad.json');
    expect(made).toMatchObject({ code: 0, out: '' });
    expect(readFileSync(join(folder, 'squad.json'), 'utf8')).toContain('+4930123456');
    const checked = await squadc(folder, 'check', 'in/mover.json', 'squad.json', ...answers);
    expect([checked.code, checked.err]).toEqual([0, '']);
    for (const command of ['graph', 'scenarios']) {
      const more = command === 'graph' ? ['--of', 'squad'] : [];
      const { code } = await squadc(folder, command, 'in/mover.json', ...more, ...answers);
      expect([command, code]).toEqual([command, 0]);
    }
  });

  it('are found from another folder by the name, where it is the only one', async () => {
    put({ ...number, subject });
    const answers = ['--answers', '../out/answers.json'];
    const cwd = join(folder, 'in');
    expect((await squadc(cwd, 'compile', 'mover.json', ...answers)).code).toBe(0);
    put(number, 'another-workflow-0a1b2c3d');
    const { code, err } = await squadc(cwd, 'compile', 'mover.json', ...answers);
    expect(code).toBe(2);
    expect(err).toMatch(/^\.\.\/out\/answers\.json holds no answers for moving-company-\w{8}\n/);
  });

  it('count as long as their question is the same', async () => {
    put({ ...number, subject: '0'.repeat(16) });
    const answers = ['--answers', 'out/answers.json'];
    const { code, err } = await squadc(folder, 'compile', 'in/mover.json', ...answers);
    expect(code).toBe(2);
    expect(err).toContain('warning[batch/subject-changed]');
    expect(err).toMatch(/--> out\/answers\.json:1:\d+/);
  });

  it('are refused where they are no answers', async () => {
    put({ choice: 7 });
    const { code, err } = await squadc(
      folder,
      ...['compile', 'in/mover.json', '--answers', 'out/answers.json'],
    );
    expect(code).toBe(1);
    expect(err).toContain('error[batch/answers-shape]');
  });

  it('leave room for proposals', async () => {
    put(null);
    const argv = ['--answers', 'out/answers.json', '--accept-proposals', '--json'];
    const { code, out } = await squadc(folder, 'compile', 'in/mover.json', ...argv);
    expect(code).toBe(2);
    expect(JSON.parse(out).questions.map(({ id }: { id: string }) => id)).toEqual([question]);
  });
});

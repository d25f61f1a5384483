/** Every code of a run is provoked by a run, and says what the catalogue says. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { OpenThreads } from '../../src/batch/run.js';
import { codes, compile, explain, VerificationRefuted, verify } from '../../src/index.js';
import type { ResultFile } from '../../src/report/model.js';
import { here, lines, type Migrated, migrate, put, rowsOf, workflow } from './migrating.js';

const root = mkdtempSync(join(tmpdir(), 'squadc-codes-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** The folder in which a run is made, and the run. */
interface Scene {
  readonly cwd: string;
  run(args?: readonly string[], open?: OpenThreads): Promise<Migrated>;
}

const text = JSON.stringify(workflow('Alpha'));
const given = ({ cwd }: Scene, content: string | Uint8Array = text) => put(cwd, 'in.json', content);

function giveAnswers({ cwd }: Scene, answers: object, file = 'answers.json'): string {
  put(cwd, file, JSON.stringify(answers));
  return `--answers=${file}`;
}

/** An answer of a question that is asked, with a subject that is none. */
async function outdated(scene: Scene): Promise<string> {
  given(scene, JSON.stringify(workflow('Alpha', 'open')));
  await scene.run();
  const [{ key } = { key: '' }] = rowsOf(join(scene.cwd, 'out'));
  const path = join(scene.cwd, 'out', key, 'result.json');
  const { questions }: ResultFile = JSON.parse(readFileSync(path, 'utf8'));
  const [{ id, choices } = { id: '', choices: [] }] = questions;
  const answer = { choice: choices[0]?.key, subject: '0'.repeat(16) };
  return giveAnswers(scene, { workflows: { [key]: { answers: { [id]: answer } } } });
}

/** Threads for which the answers of a workflow are a trap when it is compiled. */
function withTrap(error: Error): OpenThreads {
  let times = 0;
  const get = () => {
    times += 1;
    if (times > 1) throw error;
  };
  return ({ request, ...setup }, jobs) => {
    const workflows = Object.assign(new Map(), { get });
    const answers = { ...request.answers, workflows };
    return here()({ ...setup, request: { ...request, answers } }, jobs);
  };
}

function refuted(): Error {
  const one = workflow('Alpha');
  return new VerificationRefuted(one, {}, verify(one, compile(workflow('Beta')).output));
}

const provocations: Readonly<Record<string, (scene: Scene) => Promise<Migrated>>> = {
  'batch/missing': (scene) => scene.run(),
  'batch/empty': (scene) => {
    mkdirSync(join(scene.cwd, 'in.json'));
    return scene.run();
  },
  'batch/unreadable': (scene) => {
    given(scene);
    const replace = () => {
      rmSync(join(scene.cwd, 'in.json'));
      mkdirSync(join(scene.cwd, 'in.json'));
    };
    return scene.run([], here({ before: replace }));
  },
  'batch/vanished': (scene) => {
    given(scene);
    return scene.run([], here({ before: () => rmSync(join(scene.cwd, 'in.json')) }));
  },
  'batch/too-large': (scene) => {
    given(scene, `{"name":"${'x'.repeat(64 * 1024 * 1024)}"}`);
    return scene.run();
  },
  'batch/not-utf8': (scene) => {
    given(scene, Buffer.from([0x7b, 0xff, 0x7d]));
    return scene.run();
  },
  'batch/same-key': (scene) => {
    put(scene.cwd, 'in.jsonl', lines(workflow('Alpha'), workflow('Alpha')));
    return scene.run(['in.jsonl']);
  },
  'batch/foreign-file': async (scene) => {
    given(scene);
    await scene.run(['-o', 'other']);
    const [{ folder } = { folder: '' }] = rowsOf(join(scene.cwd, 'other'));
    put(scene.cwd, join('out', folder, 'squad.json'), 'mine');
    return scene.run();
  },
  'batch/write-failed': (scene) => {
    given(scene);
    const temporary = join(scene.cwd, 'out', '.squadc', 'tmp', 'all');
    const remove = () => rmSync(temporary, { recursive: true });
    return scene.run([], here({ before: remove, after: () => mkdirSync(temporary) }));
  },
  'batch/refuted': (scene) => {
    given(scene);
    return scene.run([], withTrap(refuted()));
  },
  'batch/internal-error': (scene) => {
    given(scene);
    return scene.run([], withTrap(new TypeError('no such thing')));
  },
  'batch/orphan': async (scene) => {
    given(scene);
    put(scene.cwd, 'more.json', JSON.stringify(workflow('Beta')));
    await scene.run(['more.json']);
    return scene.run();
  },
  'batch/answers-shape': (scene) => {
    given(scene);
    return scene.run([giveAnswers(scene, { policies: [] })]);
  },
  'batch/plain-answers': (scene) => {
    given(scene);
    return scene.run([giveAnswers(scene, { answers: {} })]);
  },
  'batch/answers-differ': (scene) => {
    given(scene);
    const policies = ['none', 'bearer'].map((choice, at) =>
      giveAnswers(scene, { policies: { 'missing-auth': choice } }, `${at}.json`),
    );
    return scene.run(policies);
  },
  'batch/unknown-workflow': (scene) => {
    given(scene);
    return scene.run([giveAnswers(scene, { workflows: { 'beta-00000000': { answers: {} } } })]);
  },
  'batch/subject-changed': async (scene) => scene.run([await outdated(scene)]),
};

/** The codes that a run names: on stderr, in rows, and among the findings of workflows. */
function namedIn({ err }: Migrated, out: string): string[] {
  return [...err.matchAll(/\bbatch\/[a-z0-9-]+/g)]
    .map(([code]) => code)
    .concat(
      resultsOf(out).flatMap(({ failure, diagnostics }) => [
        ...(failure ? [failure.code] : []),
        ...diagnostics.map(({ code }) => code),
      ]),
    );
}

function resultsOf(out: string): ResultFile[] {
  try {
    return rowsOf(out).map(({ folder }) =>
      JSON.parse(readFileSync(join(out, folder, 'result.json'), 'utf8')),
    );
  } catch {
    return [];
  }
}

describe('the codes of a run', () => {
  const ofRuns = codes().filter((code) => code.startsWith('batch/'));

  it('are those that are provoked here', () => {
    expect(Object.keys(provocations).sort()).toEqual(ofRuns);
  });

  it.each(Object.entries(provocations))('%s', async (code, provoke) => {
    const cwd = join(root, code.replace('/', '-'));
    mkdirSync(cwd);
    const run = (args: readonly string[] = [], open?: OpenThreads) => {
      const source = args.some((each) => /^[^-].*\.jsonl?$/.test(each)) ? [] : ['in.json'];
      const output = args.includes('-o') ? [] : ['-o', 'out'];
      return migrate([...source, ...args, ...output, '--no-report', '--jobs', '1'], { cwd }, open);
    };
    const migrated = await provoke({ cwd, run });
    const named = namedIn(migrated, join(cwd, 'out'));
    expect(named, migrated.err).toContain(code);
    for (const each of named) expect(ofRuns).toContain(each);
    expectAdvice(migrated.err);
    for (const { diagnostics } of resultsOf(join(cwd, 'out'))) {
      for (const found of diagnostics.filter((each) => each.code === code)) {
        const { severity, help } = explain(code) ?? {};
        expect(found).toMatchObject({ severity, help });
      }
    }
  });
});

/** Of each source in which there is no workflow, the line below says what to do. */
function expectAdvice(err: string): void {
  const lines = err.split('\n');
  for (const [index, line] of lines.entries()) {
    if (/^batch\/[a-z0-9-]+: in\.json/.test(line)) {
      expect(lines[index + 1]).toMatch(/^ {2}help: [A-Z].*\.$/);
    }
  }
}

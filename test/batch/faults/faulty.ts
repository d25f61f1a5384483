/** What the tests of faults share: the built binary, and hands to make the system refuse. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, type TestContext } from 'vitest';
import { differences } from '../../../bench/fleet/migrate.mjs';
import type { WorkflowRow } from '../../../src/report/model.js';
import { type Built, builtMigrate, type Ended } from '../built-migrate.js';
import { put, rowsOf, tree, workflow } from '../migrating.js';

export interface Faulty extends Built {
  migrate(...args: readonly string[]): Promise<Ended>;
  rows(out?: string): WorkflowRow[];
  /** Status, or why it failed, by name. */
  ends(out?: string): (string | null)[][];
  read(...path: readonly string[]): string;
  folderOf(name: string, out?: string): string;
  /** Paths at which two outputs differ. */
  different(one: string, other: string): string[];
  /** Alpha, Beta (open), Gamma in `in`; in `calm` is what an undisturbed run makes of them. */
  three(): Promise<void>;
  /** Runs a command of the system; where it may not, the test is skipped. */
  orSkip(context: TestContext, program: string, ...args: readonly string[]): void;
  /** Not even the superuser writes there; for others, rights are enough. */
  makeReadOnly(path: string, context: TestContext): void;
  /** Is done at the end of the test, or when `undoAll` is called. */
  undo(act: () => void): void;
  undoAll(): void;
}

export function faulty(): Faulty {
  const built = builtMigrate();
  const { at, squadc } = built;
  const acts: (() => void)[] = [];
  const undoAll = () => {
    for (const each of acts.splice(0)) each();
  };
  afterEach(undoAll);
  const undo = (act: () => void) => void acts.push(act);
  const migrate = (...args: string[]) => squadc('migrate', ...args, '--no-report', '--jobs', '2');
  const rows = (out = 'out') => rowsOf(at(out));
  return {
    ...built,
    migrate,
    rows,
    orSkip,
    undo,
    undoAll,
    ends: (out) => rows(out).map(({ name, status, failure }) => [name, failure?.code ?? status]),
    read: (...path) => readFileSync(at(...path), 'utf8'),
    folderOf: (name, out = 'out') => {
      const row = rows(out).find((each) => each.name === name);
      if (row === undefined) throw new Error(`no row of ${name}`);
      return join(out, row.folder);
    },
    different: (one, other) => differences(tree(at(one)), tree(at(other))),
    three: async () => {
      put(at(), 'in/a.json', JSON.stringify(workflow('Alpha')));
      put(at(), 'in/b.json', JSON.stringify(workflow('Beta', 'open')));
      put(at(), 'in/c.json', JSON.stringify(workflow('Gamma')));
      expect(await migrate('in', '-o', 'calm')).toMatchObject({ code: 2 });
    },
    makeReadOnly: (path, context) => {
      if (process.getuid?.() === 0) {
        orSkip(context, 'chattr', '+i', path);
        undo(() => execFileSync('chattr', ['-i', path]));
      } else {
        chmodSync(path, 0o555);
        undo(() => chmodSync(path, 0o755));
      }
    },
  };
}

function orSkip({ skip }: TestContext, program: string, ...args: readonly string[]): void {
  try {
    execFileSync(program, args, { stdio: 'pipe' });
  } catch {
    skip(`${program} ${args.join(' ')}: not possible here`);
  }
}

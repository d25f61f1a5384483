/** Runs `squadc migrate` in this process, on threads that are none, and looks at what it wrote. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Item } from '../../src/batch/items.js';
import type { OpenThreads } from '../../src/batch/run.js';
import { type Outcome, Work } from '../../src/batch/work.js';
import type { Io } from '../../src/cli/io.js';
import { run } from '../../src/cli/run.js';
import type { WorkflowRow } from '../../src/report/model.js';
import { fakeIo, type Surroundings } from '../cli/fake-io.js';

/** What a test does to the work of a thread. */
export interface Disturbance {
  readonly before?: (items: readonly Item[]) => void;
  readonly after?: (outcomes: readonly (Outcome | null)[]) => void;
}

export function here(disturbance: Disturbance = {}): OpenThreads {
  return async (setup) => {
    const work = new Work(setup);
    return {
      run: async (items) => {
        disturbance.before?.(items);
        const outcomes = structuredClone(await work.do(structuredClone(items)));
        disturbance.after?.(outcomes);
        return outcomes;
      },
      close: async () => {},
    };
  };
}

export interface Migrated {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** `args` as they stand on the command line, without `migrate`. */
export async function migrate(
  args: readonly string[],
  { network, ...surroundings }: Surroundings & Pick<Io, 'network'>,
  open: OpenThreads = here(),
): Promise<Migrated> {
  const io = { ...fakeIo(surroundings), threads: open, ...(network && { network }) };
  const exitCode = await run(['migrate', ...args], io);
  return { exitCode, out: io.out(), err: io.err() };
}

/** Every file below the folder with its text, `.squadc` aside; folders without files end in `/`. */
export function tree(folder: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    if (path === '.squadc' || path.startsWith('.squadc/')) continue;
    const full = join(folder, path);
    if (statSync(full).isFile()) found.set(path, readFileSync(full, 'utf8'));
    else if (readdirSync(full).length === 0) found.set(`${path}/`, '');
  }
  return found;
}

export function rowsOf(out: string): WorkflowRow[] {
  return JSON.parse(readFileSync(join(out, 'summary.json'), 'utf8')).workflows;
}

export function put(folder: string, path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), content);
}

/** A workflow that is complete; `open` gives it a question, `broken` an error. */
export function workflow(name: string, kind: 'complete' | 'open' | 'broken' = 'complete'): object {
  const reads = kind === 'open' ? ' Their code is {{unknown_code}}.' : '';
  const to = kind === 'broken' ? 'nowhere' : 'bye';
  return {
    name,
    nodes: [
      { id: 'ask', type: 'conversation', systemPrompt: `Ask for ${name}.${reads}` },
      { id: 'bye', type: 'endCall' },
    ],
    edges: [{ from: 'ask', to, condition: 'they are done' }],
  };
}

export function lines(...workflows: readonly unknown[]): string {
  return workflows.map((each) => `${JSON.stringify(each)}\n`).join('');
}

/**
 * One run at a time, for a journal or an output folder.
 *
 * A lock is a list of files, `<path>.1`, `<path>.2` …, each with the process that took it. Who wants
 * the lock makes the file after the last one, which only one process can, looks at the list once more,
 * and has it if no other process in the list is still at work; else it withdraws its file. So a lock
 * whose process was killed is taken over without being removed first, and two that come at once
 * cannot both have it: the one that looks last sees the other.
 * Of another machine, or another container, nobody sees the processes: there a lock counts as long as
 * its file is kept fresh.
 */
import {
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Who holds a lock. */
export interface Holder {
  readonly pid: number;
  /** Where this number means a process. */
  readonly machine: string;
  /** When it began, as the system tells; null where it does not. A number is given out again. */
  readonly since: string | null;
  /** The file that says so. */
  readonly file: string;
}

/** Releases the lock. */
export type Unlock = () => void;

/** How often the file is touched, and how long it counts after that; in milliseconds. */
const beat = 5_000;
const patience = 60_000;

/** Takes the lock; where somebody has it, who. Throws what the file system throws. */
export function takeLock(path: string): Unlock | Holder {
  const draft = `${path}.${process.pid}.new`;
  const own = { pid: process.pid, machine: thisMachine(), since: beginOf(process.pid) };
  writeFileSync(draft, JSON.stringify(own), { mode: 0o600 });
  try {
    for (;;) {
      const other = findHolder(path, draft);
      if (other !== null) return other;
      const number = (numbersOf(path).at(-1) ?? 0) + 1;
      const file = `${path}.${number}`;
      if (!linked(draft, file)) continue;
      if (findHolder(path, draft, number) === null) return keep(path, file);
      // The other may withdraw as well: each waits for a time of its own.
      rmSync(file, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, process.pid % 50);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The numbers of the files that there are, in order. */
function numbersOf(path: string): number[] {
  const name = `${basename(path)}.`;
  const numbers = readdirSync(dirname(path)).flatMap((each) => {
    const rest = each.startsWith(name) ? each.slice(name.length) : '';
    return /^[1-9]\d{0,14}$/.test(rest) ? [Number(rest)] : [];
  });
  return numbers.sort((one, other) => one - other);
}

/** Who holds the lock, but for the file of this number; null where nobody does. */
export function findHolder(path: string, draft = path, own = 0): Holder | null {
  // By the clock of the file system, which other machines may share.
  const now = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  for (const number of numbersOf(path)) {
    const holder = number === own ? null : readHolder(`${path}.${number}`);
    if (holder !== null && isHeld(holder, now)) return holder;
  }
  return null;
}

/** Keeps the file fresh until the lock is released, and clears it away with those before it. */
function keep(path: string, file: string): Unlock {
  const touch = () => {
    const now = new Date();
    utimesSync(file, now, now);
  };
  const timer = setInterval(touch, beat).unref();
  return () => {
    clearInterval(timer);
    const last = Number(file.slice(path.length + 1));
    const drafts = readdirSync(dirname(path)).filter((each) => isLeftBehind(path, each));
    for (const each of drafts) rmSync(join(dirname(path), each), { force: true });
    for (const number of numbersOf(path)) {
      if (number < last) rmSync(`${path}.${number}`, { force: true });
    }
    rmSync(file, { force: true });
  };
}

/** Whether it is the draft of a process that was killed while it took the lock. */
function isLeftBehind(path: string, name: string): boolean {
  const [, pid] = /\.(\d+)\.new$/.exec(name) ?? [];
  return pid !== undefined && name === `${basename(path)}.${pid}.new` && !isAlive(Number(pid));
}

/** A link is made or not, and is whole when it is there. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null where the file is gone, or is no lock. */
function readHolder(file: string): Holder | null {
  try {
    const { pid, machine, since } = JSON.parse(readFileSync(file, 'utf8'));
    const isHolder = Number.isInteger(pid) && pid > 0 && typeof machine === 'string';
    return isHolder ? { pid, machine, since: since ?? null, file } : null;
  } catch {
    return null;
  }
}

function isHeld({ pid, machine, since, file }: Holder, now: number): boolean {
  if (machine !== thisMachine()) {
    const touched = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    return touched !== undefined && now - touched < patience;
  }
  return isAlive(pid) && (since === null || since === beginOf(pid));
}

/** A process that has ended and that nobody has asked for its end is none. */
function isAlive(pid: number): boolean {
  if (/^[ZX]/.test(statOf(pid)?.[0] ?? '')) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** On Linux, its start and the container, if it is one; elsewhere its name. */
export function thisMachine(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function beginOf(pid: number): string | null {
  return statOf(pid)?.[19] ?? null;
}

/** What Linux tells of a process, its state first; null elsewhere, and where there is none. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold any.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

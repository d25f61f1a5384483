/**
 * One run at a time for an output folder.
 *
 * The lock is a file with the process that holds it. A process that was killed leaves it behind;
 * whoever comes next sees that it is gone, and takes the lock over. Of another machine, or another
 * container, nobody sees the processes: there the lock counts as long as its file is kept fresh.
 */
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';

/** Who holds a lock. */
export interface Holder {
  readonly pid: number;
  /** Where this number means a process. */
  readonly machine: string;
  /** When it began, as the system tells; null where it does not. A number is given out again. */
  readonly since: string | null;
}

/** Releases the lock. */
export type Unlock = () => void;

/** How often the file is touched, and how long it counts after that; in milliseconds. */
const beat = 5_000;
const patience = 60_000;

/** Takes the lock; where somebody has it, who. */
export function takeLock(path: string): Unlock | Holder {
  const own = `${path}.${process.pid}`;
  const machine = thisMachine();
  writeFileSync(own, JSON.stringify({ pid: process.pid, machine, since: beginOf(process.pid) }));
  try {
    for (;;) {
      if (linked(own, path)) return keep(path);
      const holder = holderOf(path);
      if (holder !== null && isHeld(path, holder, statSync(own).mtimeMs)) return holder;
      clear(path, own);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function keep(path: string): Unlock {
  const touch = () => {
    const now = new Date();
    utimesSync(path, now, now);
  };
  const timer = setInterval(touch, beat).unref();
  return () => {
    clearInterval(timer);
    rmSync(path, { force: true });
  };
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

/** Removes what is left of a process that is gone; a lock that was taken meanwhile is put back. */
function clear(path: string, own: string): void {
  const aside = `${own}.old`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return;
    throw error;
  }
  const holder = holderOf(aside);
  if (holder !== null && isHeld(aside, holder, statSync(own).mtimeMs)) linked(aside, path);
  rmSync(aside, { force: true });
}

function holderOf(path: string): Holder | null {
  try {
    const { pid, machine, since } = JSON.parse(readFileSync(path, 'utf8'));
    const isHolder = Number.isInteger(pid) && pid > 0 && typeof machine === 'string';
    return isHolder ? { pid, machine, since: since ?? null } : null;
  } catch {
    return null;
  }
}

/** `now` is by the clock of the file system, which another machine may share. */
function isHeld(path: string, { pid, machine, since }: Holder, now: number): boolean {
  if (machine !== thisMachine()) {
    const touched = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    return touched !== undefined && now - touched < patience;
  }
  return isAlive(pid) && (since === null || since === beginOf(pid));
}

function isAlive(pid: number): boolean {
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
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in parentheses and may hold any.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

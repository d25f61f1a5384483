/**
 * One run at a time for an output folder.
 *
 * The lock is a file with the process that holds it. A process that was killed leaves it behind;
 * whoever comes next sees that it is gone, and takes the lock over. Of another machine, or another
 * container, nobody sees the processes: there the lock counts as long as its file is kept fresh.
 */
import {
  linkSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
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
  const holder: Holder = { pid: process.pid, machine, since: beginOf(process.pid) };
  try {
    for (;;) {
      // Each time anew: whoever gets the lock clears away what others have left beside it.
      writeFileSync(own, JSON.stringify(holder));
      if (linked(own, path)) return keep(path);
      const other = holderOf(path);
      if (other !== null && isHeld(path, other, clockBy(own))) return other;
      clear(path, own);
    }
  } finally {
    rmSync(own, { force: true });
  }
}

/** The time by the clock of the file system, which other machines may share. */
function clockBy(own: string): number {
  return statSync(own, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
}

function keep(path: string): Unlock {
  const name = `${basename(path)}.`;
  for (const each of readdirSync(dirname(path))) {
    if (each.startsWith(name)) rmSync(join(dirname(path), each), { force: true });
  }
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
    const code = codeOf(error);
    if (code === 'EEXIST' || code === 'ENOENT') return false;
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
  if (holder !== null && isHeld(aside, holder, clockBy(own))) linked(aside, path);
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

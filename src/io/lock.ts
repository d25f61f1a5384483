/**
 * One run at a time, for a journal or an output folder.
 *
 * A lock is a list of files, `<path>.1`, `<path>.2` …, each naming the process that created it. To
 * take it, a process creates the next file, which only one process can do, and reads the list again.
 * It has the lock unless another process in the list is running; then it removes its file. So the
 * lock of a killed process is taken over without being removed first, and two processes cannot both
 * have it, because the one that reads last sees the other. Processes of another machine or container
 * are not visible; their lock counts while its file is kept fresh.
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
  /** The machine or container on which `pid` is a process. */
  readonly machine: string;
  /** When the process started, or null if the system does not say: process ids are reused. */
  readonly since: string | null;
  /** The file of the lock. */
  readonly file: string;
}

/** A lock that was taken. Calling it releases it. */
export interface Lock {
  (): void;
  readonly file: string;
  /** Keeps the lock fresh; false if that fails, or if its file was removed or replaced. */
  isHeld(): boolean;
}

/** How often the file is touched, and how long it counts after that, in milliseconds. */
const beat = 5_000;
const patience = 60_000;

/** Takes the lock, or returns who has it. Throws what the file system throws. */
export function takeLock(path: string): Lock | Holder {
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
      if (findHolder(path, draft, number) === null) return keep(path, file, own);
      // The other process may withdraw, too, so each waits for a different time.
      rmSync(file, { force: true });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, process.pid % 50);
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** The numbers of the existing files, in order. */
function numbersOf(path: string): number[] {
  const name = `${basename(path)}.`;
  const numbers = readdirSync(dirname(path)).flatMap((each) => {
    const rest = each.startsWith(name) ? each.slice(name.length) : '';
    return /^[1-9]\d{0,14}$/.test(rest) ? [Number(rest)] : [];
  });
  return numbers.sort((one, other) => one - other);
}

/** Who holds the lock, ignoring the file with the number `own`; null if it is free. */
export function findHolder(path: string, draft = path, own = 0): Holder | null {
  // The clock of the file system, which other machines may share.
  const now = statSync(draft, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
  for (const number of numbersOf(path)) {
    const holder = number === own ? null : readHolder(`${path}.${number}`);
    if (holder !== null && isHeld(holder, now)) return holder;
  }
  return null;
}

/**
 * Keeps the file fresh until the lock is released, then removes it and all earlier ones. A lock that
 * was lost leaves everything as it is: the files may be another process's by now.
 */
function keep(path: string, file: string, own: Omit<Holder, 'file'>): Lock {
  let held = true;
  const isHeld = () => {
    held &&= touch(file, own);
    return held;
  };
  const timer = setInterval(isHeld, beat).unref();
  const release = () => {
    clearInterval(timer);
    if (!isHeld()) return;
    const last = Number(file.slice(path.length + 1));
    const drafts = readdirSync(dirname(path)).filter((each) => isLeftBehind(path, each));
    for (const each of drafts) rmSync(join(dirname(path), each), { force: true });
    for (const number of numbersOf(path)) {
      if (number < last) rmSync(`${path}.${number}`, { force: true });
    }
    rmSync(file, { force: true });
  };
  return Object.assign(release, { file, isHeld });
}

/** Touches the file of this process; false if that fails, or if the file is not its own any more. */
function touch(file: string, { pid, machine, since }: Omit<Holder, 'file'>): boolean {
  const holder = readHolder(file);
  if (holder?.pid !== pid || holder.machine !== machine || holder.since !== since) return false;
  try {
    const now = new Date();
    utimesSync(file, now, now);
    return true;
  } catch {
    return false;
  }
}

/** Whether this is the draft of a process that was killed while it took the lock. */
function isLeftBehind(path: string, name: string): boolean {
  const [, pid] = /\.(\d+)\.new$/.exec(name) ?? [];
  return pid !== undefined && name === `${basename(path)}.${pid}.new` && !isAlive(Number(pid));
}

/** A link is created atomically, with the whole file behind it. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Null if the file is gone or is not a lock. */
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

/** A zombie, which has ended but has not been reaped, does not count as alive. */
function isAlive(pid: number): boolean {
  if (/^[ZX]/.test(statOf(pid)?.[0] ?? '')) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

/** On Linux, the boot and the container, if there is one; elsewhere the host name. */
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

/** The fields of a process on Linux, its state first; null elsewhere, or if there is none. */
function statOf(pid: number): string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program is in parentheses and may contain more of them.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : null;
}

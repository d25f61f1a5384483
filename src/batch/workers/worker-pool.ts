/** Threads that work on tasks, as many at a time as there are threads. */
import { setTimeout as sleep } from 'node:timers/promises';

/** Does tasks elsewhere. */
export interface Workers<Task, Outcome> {
  run(task: Task): Promise<Outcome>;
  /** Ends the threads, whatever they are doing. */
  close(): Promise<void>;
}

/** What the threads do, and what they are given once. */
export interface ThreadWork {
  /** A module of the built package, and the name of its function. */
  readonly module: URL;
  readonly name: string;
  readonly workerData?: unknown;
}

/** Opens so many threads. */
export async function openWorkers<Task, Outcome>(
  { module, name, workerData }: ThreadWork,
  jobs: number,
): Promise<Workers<Task, Outcome>> {
  const { Tinypool } = await import('tinypool');
  const threads = { minThreads: jobs, maxThreads: jobs };
  const pool = new Tinypool({ filename: module.href, name, workerData, ...threads });
  return {
    run: (task) => pool.run(task),
    close: () => pool.destroy(),
  };
}

/** How long a stop waits for tasks that were begun. */
const grace = 3000;

/**
 * Does all tasks, `jobs` at a time; each is taken when there is somebody to do it. After a stop no
 * task is begun, and one that does not end soon is left.
 */
export async function forEachTask<Task, Outcome>(
  tasks: Iterable<Task>,
  workers: Workers<Task, Outcome>,
  { jobs, stop }: { readonly jobs: number; readonly stop: AbortSignal },
  done: (outcome: Outcome) => void,
): Promise<void> {
  const queue = tasks[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (let next = queue.next(); !next.done; next = queue.next()) {
      done(await workers.run(next.value));
      if (stop.aborted) return;
    }
  };
  const all = Promise.all(Array.from({ length: jobs }, work)).then(() => {});
  await Promise.race([all, stopped(stop)]);
}

/** Ends a while after the stop. */
async function stopped(stop: AbortSignal): Promise<void> {
  await new Promise((resolve) => stop.addEventListener('abort', resolve, { once: true }));
  await sleep(grace, undefined, { ref: false });
}

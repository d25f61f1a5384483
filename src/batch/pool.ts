/** Threads that work on tasks, as many at a time as there are threads. */

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

/** Threads that work on tasks, one task per thread at a time. */

/** Runs tasks in threads. */
export interface Workers<Task, Outcome> {
  run(task: Task): Promise<Outcome>;
  /** Stops the threads, even in the middle of a task. */
  close(): Promise<void>;
}

/** Starts threads that run a function of a module of the built package. */
export async function openWorkers<Task, Outcome>(
  filename: string,
  name: string,
  workerData: unknown,
  jobs: number,
): Promise<Workers<Task, Outcome>> {
  const { Tinypool } = await import('tinypool');
  const threads = { minThreads: jobs, maxThreads: jobs };
  const pool = new Tinypool({ filename, name, workerData, ...threads });
  return { run: (task) => pool.run(task), close: () => pool.destroy() };
}

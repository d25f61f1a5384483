/** Threads that work on tasks, as many at a time as there are threads. */

/** Does tasks elsewhere. */
export interface Workers<Task, Outcome> {
  run(task: Task): Promise<Outcome>;
  /** Ends the threads, whatever they are doing. */
  close(): Promise<void>;
}

/** Opens so many threads on the function of that name in a module of the built package. */
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

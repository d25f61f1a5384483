/** Runs tests for a program that changes files: says after each change whether a test fails. */
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';

// It must not write to the standard output, which nobody reads.
const vitest = await createVitest('test', {
  watch: false,
  bail: 1,
  maxWorkers: 1,
  reporters: [{}],
});
await vitest.standalone();
/** The file of the change before: it is as it was again. @type {string | undefined} */
let changed;

process.on(
  'message',
  async (/** @type {{ file: string, stages: string[] }} */ { file, stages }) => {
    for (const path of [changed ?? file, file]) vitest.invalidateFile(resolve(path));
    changed = file;
    let isFound = false;
    for (const stage of stages) {
      const files = stage.split(' ').map((path) => `test/${path}`);
      const specifications = await vitest.globTestSpecifications(files);
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
      isFound = unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
      if (isFound) break;
    }
    process.send?.(isFound);
  },
);

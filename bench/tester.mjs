/** Runs tests for a program that changes files: says after each change whether a test fails. */
import { resolve } from 'node:path';
import { createVitest } from 'vitest/node';

const options = { watch: false, bail: 1, maxWorkers: 1, reporters: [{}] };
const vitest = await createVitest('test', options);
await vitest.standalone();

/** @param {{ file: string, stages: string[] }} change */
async function tryTests({ file, stages }) {
  vitest.invalidateFile(resolve(file));
  let isFound = false;
  for (const stage of stages) {
    const files = stage.split(' ').map((path) => `test/${path}`);
    const specifications = await vitest.globTestSpecifications(files);
    const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications);
    isFound = unhandledErrors.length > 0 || testModules.some((module) => !module.ok());
    if (isFound) break;
  }
  // It is put back now.
  vitest.invalidateFile(resolve(file));
  process.send?.(isFound);
}

process.on('message', tryTests);

/** Test runs; SQUADC_TEST_REPORT names a file for the results as JSON, beside the usual output. */
import { readdirSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const report = process.env.SQUADC_TEST_REPORT;

/** Tests that put other modules in the place of ours, or measure: each has a process of its own. */
const alone = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((path) => `test/${path.replaceAll('\\', '/')}`)
  .filter((path) => path.endsWith('.test.ts'))
  .filter((path) =>
    /\bvi\.(?:mock|doMock|resetModules)\(|\bcpuUsage\(/.test(readFileSync(path, 'utf8')),
  );

const common = {
  environment: 'node',
  testTimeout: 600_000,
  hookTimeout: 600_000,
  // Nothing that a test waits for has to happen quickly.
  expect: { poll: { timeout: 20_000 } },
  // A process has the stack that users have; that of a thread is four times as deep.
  pool: 'forks',
} as const;

export default defineConfig({
  test: {
    globalSetup: ['test/build-once.ts'],
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
    // On two cores the default is one.
    maxWorkers: 2,
    projects: [
      {
        // Loading the modules anew for each file would take longer than most files do.
        test: {
          ...common,
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: alone,
          isolate: false,
        },
      },
      { test: { ...common, name: 'alone', include: alone } },
    ],
  },
});

/** Test runs; SQUADC_TEST_REPORT names a file for the results as JSON, beside the usual output. */
import { defineConfig } from 'vitest/config';

const report = process.env.SQUADC_TEST_REPORT;

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/global-setup.ts'],
    testTimeout: 60_000,
    pool: 'threads',
    reporters: report ? ['default', ['json', { outputFile: report }]] : ['default'],
  },
});

/**
 * Prints "N passed, N failed" and exits with 1 unless nothing failed.
 *
 * Arguments: vitest's JSON report (it may be missing), how many other steps failed, and the exit
 * code of the test command. A test file that does not load counts as one failed, and so does a test
 * command that fails although no test did.
 */
import { readFileSync } from 'node:fs';

const [reportFile = '', steps = '0', testsExit = '0'] = process.argv.slice(2);

/**
 * @typedef {{ status: string, assertionResults: { status: string }[] }} TestFile
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, testResults: TestFile[] }} Report
 */

/** @returns {Report} */
function readReport() {
  try {
    return JSON.parse(readFileSync(reportFile, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [] };
  }
}

const report = readReport();
const unloaded = report.testResults.filter(
  ({ status, assertionResults }) =>
    status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
).length;
const failedTests = report.numFailedTests + unloaded;
const commandFailed = failedTests === 0 && (testsExit !== '0' || report.testResults.length === 0);
const failed = Number(steps) + failedTests + (commandFailed ? 1 : 0);

console.log();
if (report.numPendingTests > 0) console.log(`${report.numPendingTests} skipped`);
if (Number(steps) > 0) console.log(`${steps} of the steps after the tests failed`);
console.log(`${report.numPassedTests} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

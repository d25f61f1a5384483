/** Generates code before the tests, so that single test files can be run directly. */
import { execFileSync } from 'node:child_process';

export default function generate(): void {
  for (const script of ['schemas/compile.mjs', 'src/report/bundle-client.mjs']) {
    execFileSync(process.execPath, [script], { stdio: 'inherit' });
  }
}

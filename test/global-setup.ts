/** Compiles the JSON Schemas before any test, so that single test files can be run directly. */
import { execFileSync } from 'node:child_process';

export default function compileSchemas(): void {
  execFileSync(process.execPath, ['schemas/compile.mjs'], { stdio: 'inherit' });
}

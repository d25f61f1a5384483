#!/usr/bin/env node
/**
 * The binary.
 *
 * `squadc compile` is started most often, and with small workflows. So the build puts all that it
 * needs into one file: to find dozens of files takes longer than to compile.
 */
const starting =
  process.argv[2] === 'compile' ? import('./start-compile.js') : import('./start.js');
await (await starting).start();

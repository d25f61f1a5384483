#!/usr/bin/env node
/**
 * The binary.
 *
 * `squadc compile` is started most often, and with small workflows. So the build puts all that it
 * needs into one file: to find dozens of files takes longer than to compile. Names are short in
 * it; who wants to see a stack is better off with the other files.
 */
const { argv } = process;
const isLone = argv[2] === 'compile' && !argv.includes('--debug');
const { start } = await (isLone ? import('./start-compile.js') : import('./start.js'));
await start();

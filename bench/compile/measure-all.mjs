/** Measures what is wanted, one after the other: nothing else of ours runs meanwhile. */
import { measureEmpty, measureMemory } from './memory.mjs';
import { runCase } from './run-case.mjs';
import { measureStarts } from './start-up.mjs';

/** Workflows of a batch. */
const batch = 1000;
/** Processes that tell how much memory one takes, and how long one starts. */
const [memoryRuns, startRounds] = [3, 15];

/**
 * @param {readonly string[]} shapes
 * @param {readonly number[]} sizes
 * @param {import('./run-case.mjs').Limits} limits
 * @param {(shape: string, size: number) => void} begins hears what is measured next
 * @returns {Promise<import('./bounds.mjs').Figures>}
 */
export async function measureAll(shapes, sizes, limits, begins) {
  const starts = shapes.includes('start') ? await measureStarts(startRounds) : null;
  const rows = [];
  for (const it of casesOf(shapes, sizes)) {
    begins(it.shape, it.size);
    const measured = await runCase(it, limits);
    rows.push({ ...it, measured, peaks: await peaksOf(it, measured, limits) });
  }
  return { rows, empty: await measureEmpty(memoryRuns), starts };
}

/** @param {readonly string[]} shapes @param {readonly number[]} sizes */
function casesOf(shapes, sizes) {
  return shapes.flatMap((shape) => {
    if (shape === 'start') return [];
    if (shape === 'batch') return [{ shape, size: batch }];
    if (shape === 'corpus') return process.env.SQUADC_CORPUS ? [{ shape, size: 1 }] : [];
    return sizes.map((size) => ({ shape, size }));
  });
}

/** What does not end in time tells nothing about its memory. @param {import('./run-case.mjs').Case} it @param {import('./run-case.mjs').Measured} measured @param {import('./run-case.mjs').Limits} limits */
async function peaksOf(it, { samples }, { patience }) {
  const single = it.shape !== 'batch' && it.shape !== 'corpus';
  return single && samples['whole'] !== undefined ? measureMemory(it, memoryRuns, patience) : [];
}

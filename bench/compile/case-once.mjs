/**
 * Measures one case in a process of its own, and says each figure as soon as it has it, a line of
 * JSON each: whoever waits for it may run out of patience.
 *
 *     node case-once.mjs <shape> <size> <rounds> <milliseconds for a subject>
 */
import { inRounds } from '../measure.mjs';
import { extentOf, itemsOf } from './cases.mjs';
import { ours, subjects } from './subjects.mjs';

const [, , shape = '', ...given] = process.argv;
const [size = 0, rounds = 0, cap = 0] = given.map(Number);
/** A round of a quick subject repeats it for so long, in milliseconds. */
const least = 40;
/** Before the first round: much code takes long until it is as fast as it gets. */
const [warmWhole, warmParts, warmOthers] = [3000, 500, 150];

say({ begun: 'whole' });
const items = await itemsOf(shape, size);
say({ extent: extentOf(items) });

/** @typedef {{ name: string, run: (item: import('./cases.mjs').Item) => unknown, times: number, spent: number }} Subject */
/** @type {Subject[]} */
const all = Object.entries(subjects).map(([name, run]) => ({ name, run, times: 1, spent: 0 }));
const able = all.filter(warmUp);
await inRounds(able, rounds, measure);

/**
 * Whether it can be done at all; then how often in a round. What takes long needs no other warming
 * up: its first time counts.
 *
 * @param {Subject} subject
 */
function warmUp(subject) {
  say({ begun: subject.name });
  try {
    const end = performance.now() + warmingOf(subject.name);
    let ms = 0;
    let runs = 0;
    do {
      ms = once(subject);
      runs += 1;
    } while (performance.now() < end);
    subject.times = Math.max(1, Math.round(least / ms));
    if (runs === 1) tell(subject, ms);
    else say({ warm: subject.name, ms });
    return true;
  } catch (error) {
    say({ failed: subject.name, why: error instanceof Error ? error.message : `${error}` });
    return false;
  }
}

/** What is done in parts is done with the whole. @param {string} name */
function warmingOf(name) {
  if (name === 'whole') return warmWhole;
  return ours.has(name) ? warmParts : warmOthers;
}

/** @param {Subject} subject */
function measure(subject) {
  if (subject.spent >= cap) return;
  say({ begun: subject.name });
  let ms = 0;
  for (let turn = 0; turn < subject.times; turn += 1) ms += once(subject);
  tell(subject, ms / subject.times);
}

/** @param {Subject} subject @param {number} ms */
function tell(subject, ms) {
  subject.spent += ms * subject.times;
  say({ subject: subject.name, ms });
}

/** @param {Subject} subject */
function once({ run }) {
  const start = performance.now();
  for (const item of items) run(item);
  return performance.now() - start;
}

/** @param {object} line */
function say(line) {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

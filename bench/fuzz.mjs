/**
 * Tries the laws of squadc/testing on generated workflows, after `npm run build`.
 *
 *     npm run fuzz -- --runs 5000 --seed 7 --laws plansSound,plansMinimal
 *
 * The same seed gives the same workflows. A failure is reduced, and printed with what repeats it: the seed
 * and the path. One workflow in four contains text that imitates prompts. Every second one is compiled for
 * the platform, and half of those with arguments instead of extraction plans. Exit code 1 if a law fails.
 */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import fc from 'fast-check';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(randomInt(2 ** 31 - 1)) },
    laws: { type: 'string' },
    /** Of a failure: only this example. */
    path: { type: 'string', default: '' },
  },
});
/** The package as its users get it, which is not there before it is built. */
const { laws, workflowArbitrary } = await import(
  new URL('../dist/testing.js', import.meta.url).href
);
const names = values.laws?.split(',') ?? Object.keys(laws);
const unknown = names.find((name) => !Object.hasOwn(laws, name));
if (unknown !== undefined) {
  console.error(`There is no law “${unknown}”. The laws are ${Object.keys(laws).join(', ')}.`);
  process.exit(64);
}

const examples = fc.record({
  workflow: fc.oneof(
    { arbitrary: workflowArbitrary({ size: 9 }), weight: 3 },
    { arbitrary: workflowArbitrary({ size: 9, hostile: true }), weight: 1 },
  ),
  options: fc.record({
    numbers: fc.array(fc.nat(99), { minLength: 1, maxLength: 8 }),
    compile: fc.constantFrom(
      { target: 'squad' },
      { target: 'squad' },
      { target: 'vapi', pass: 'plan' },
      { target: 'vapi', pass: 'arguments' },
    ),
  }),
});

for (const name of names) {
  const property = fc.property(examples, ({ workflow, options }) => laws[name](workflow, options));
  const given = { numRuns: Number(values.runs), seed: Number(values.seed), path: values.path };
  const { failed, counterexamplePath, counterexample, errorInstance } = fc.check(property, given);
  if (!failed) {
    console.log(`${name} holds: ${values.runs} runs, seed ${values.seed}`);
    continue;
  }
  process.exitCode = 1;
  const again = `--laws ${name} --seed ${values.seed} --path ${counterexamplePath}`;
  console.log(`${name} fails: ${again}`);
  console.log(String(errorInstance).slice(0, 4000));
  console.log(JSON.stringify(counterexample?.[0]));
}

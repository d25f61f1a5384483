/** GETs, 16 at a time: how many in a second, and what each costs this process. */
import { inRounds, median } from '../measure.mjs';
import { atLeast, atMost, ratios, ratioText } from './claims.mjs';
import { startServer } from './start-server.mjs';

const atOnce = 16;

/**
 * @typedef {import('./get-candidates.mjs').Candidate} Candidate
 * @typedef {{ name: string, perSecond: number[], cpu: number[] }} Measured
 * @param {{ rounds: number, requests: number }} sizes
 * @returns {Promise<import('./claims.mjs').Figure[]>}
 */
export async function measureGets({ rounds, requests }) {
  const server = await startServer(new URL('./answer-server.mjs', import.meta.url));
  // Loaded late: without the built package it cannot be, and that is said in a better way.
  const { openCandidates } = await import('./get-candidates.mjs');
  const { candidates, close } = openCandidates(server.origin);
  const measure = (/** @type {Candidate} */ candidate) => run(candidate, requests);
  // The first round warms up: connections, compiled code.
  await inRounds(candidates, 1, measure);
  const results = await inRounds(candidates, rounds, measure);
  await close();
  server.stop();
  return ['bills', 'documents'].map((api) => {
    const measured = candidates.flatMap((candidate, at) =>
      candidate.api === api ? [collected(candidate.name, results[at] ?? [])] : [],
    );
    return figureOf(api, measured);
  });
}

/** @param {Candidate} candidate @param {number} requests */
async function run({ name, get }, requests) {
  let left = requests;
  const worker = async () => {
    while (left-- > 0) assertAnswer(name, await get());
  };
  const cpu = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: atOnce }, worker));
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  return { perSecond: (requests / ms) * 1000, cpu: (user + system) / requests };
}

/** @param {string} name @param {any} answer */
function assertAnswer(name, answer) {
  const whole = answer.responseData ?? answer.metadata;
  if (whole?.field39 !== 'value of field 39') throw new Error(`${name} got another answer`);
}

/** @param {string} name @param {Awaited<ReturnType<typeof run>>[]} results @returns {Measured} */
function collected(name, results) {
  return {
    name,
    perSecond: results.map(({ perSecond }) => perSecond),
    cpu: results.map(({ cpu }) => cpu),
  };
}

/** @param {string} api @param {Measured[]} measured @returns {import('./claims.mjs').Figure} */
function figureOf(api, measured) {
  const of = (/** @type {string} */ name) =>
    measured.find((each) => each.name === name) ?? collected(name, []);
  const [request, sdk] = [of('undici.request'), of('SDK')];
  const [client, overFetch] = [of('client'), of('client on fetch')];
  return {
    title: `GETs of ${api}, ${atOnce} at a time`,
    rows: measured.map((each) => ({
      [api]: each.name,
      'per second': Math.round(median(each.perSecond)),
      'of undici.request': ratioText(ratios(each.perSecond, request.perSecond)),
      'of the SDK': ratioText(ratios(each.perSecond, sdk.perSecond)),
      'processor µs': Math.round(median(each.cpu)),
      'processor, of the SDK': ratioText(ratios(each.cpu, sdk.cpu)),
    })),
    claims: [
      atLeast(
        `${api}: client, of undici.request`,
        ratios(client.perSecond, request.perSecond),
        0.8,
      ),
      atLeast(`${api}: client, of the SDK`, ratios(client.perSecond, sdk.perSecond), 3),
      atLeast(
        `${api}: client on fetch, of the SDK`,
        ratios(overFetch.perSecond, sdk.perSecond),
        1.2,
      ),
      atMost(`${api}: client's processor time, of the SDK`, ratios(client.cpu, sdk.cpu), 1 / 3),
    ],
  };
}

/**
 * Which of many machines this one is, as the engine that started it says in the environment.
 *
 * Each engine says it in its own way; where several speak, they must agree.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

export type FoundIndex =
  | {
      readonly kind: 'index';
      /** From 1 on. */
      readonly index: number;
      readonly count: number | null;
      /** The variable that says so. */
      readonly from: string;
    }
  | { readonly kind: 'fault'; readonly message: string };

interface Engine {
  readonly index: string;
  /** The number of the first machine; a variable, where the user of the engine chooses it. */
  readonly first: 0 | 1 | string;
  readonly count?: string;
  /** Distance of the numbers of two machines; 1 where it is not set. */
  readonly step?: string;
  /** The number of the last machine. */
  readonly last?: string;
}

const engines: readonly Engine[] = [
  // Kubernetes, indexed jobs
  { index: 'JOB_COMPLETION_INDEX', first: 0 },
  { index: 'AWS_BATCH_JOB_ARRAY_INDEX', first: 0, count: 'AWS_BATCH_JOB_ARRAY_SIZE' },
  {
    index: 'SLURM_ARRAY_TASK_ID',
    first: 'SLURM_ARRAY_TASK_MIN',
    count: 'SLURM_ARRAY_TASK_COUNT',
    step: 'SLURM_ARRAY_TASK_STEP',
    last: 'SLURM_ARRAY_TASK_MAX',
  },
  // GitLab; the count alone is 1 there where nothing runs side by side
  { index: 'CI_NODE_INDEX', first: 1, count: 'CI_NODE_TOTAL' },
  { index: 'CIRCLE_NODE_INDEX', first: 0, count: 'CIRCLE_NODE_TOTAL' },
  { index: 'BUILDKITE_PARALLEL_JOB', first: 0, count: 'BUILDKITE_PARALLEL_JOB_COUNT' },
];

/** The number of this machine, by every engine that speaks. */
export function indexByEnvironment(env: Environment): FoundIndex {
  let found: FoundIndex | null = null;
  for (const engine of engines) {
    if (!isSet(env, engine.index)) continue;
    const next = indexBy(engine, env);
    found = found === null ? next : agreed(found, next);
    if (found.kind === 'fault') return found;
  }
  const names = engines.map(({ index }) => index).join(', ');
  return found ?? fault(`shard auto: none of ${names} is set; say which: --shard i/n`);
}

function indexBy(engine: Engine, env: Environment): FoundIndex {
  const read = new Map<string, number>();
  const names = [engine.index, engine.first, engine.count, engine.step, engine.last];
  for (const name of names) {
    if (typeof name !== 'string' || !isSet(env, name)) continue;
    const value = wholeNumber(env[name]);
    const least = name === engine.count || name === engine.step ? 1 : 0;
    if (value === null || value < least) return fault(`${name} is no number from ${least} on`);
    read.set(name, value);
  }
  const first = typeof engine.first === 'string' ? read.get(engine.first) : engine.first;
  if (first === undefined) return fault(`${engine.index} is set, but not ${engine.first}`);
  return numbered(engine, first, read);
}

function numbered(engine: Engine, first: number, read: ReadonlyMap<string, number>): FoundIndex {
  const valueIn = (name: string | undefined) => (name === undefined ? undefined : read.get(name));
  const step = valueIn(engine.step) ?? 1;
  const count = valueIn(engine.count) ?? null;
  const last = valueIn(engine.last);
  if (last !== undefined && count !== null && Math.floor((last - first) / step) + 1 !== count) {
    // Which of them this one is, nothing in the environment tells.
    return fault(`${engine.index} is of a list with gaps; say which: --shard i/n`);
  }
  const index = ((valueIn(engine.index) ?? first) - first) / step + 1;
  if (!Number.isInteger(index) || index < 1) {
    return fault(`${engine.index} is none of the numbers from ${first} on in steps of ${step}`);
  }
  return { kind: 'index', index, count, from: engine.index };
}

function agreed(one: FoundIndex, other: FoundIndex): FoundIndex {
  if (one.kind === 'fault' || other.kind === 'fault') return one.kind === 'fault' ? one : other;
  const counts = new Set([one.count, other.count].filter((count) => count !== null));
  if (one.index !== other.index || counts.size > 1) {
    return fault(`${one.from} and ${other.from} contradict each other; say which: --shard i/n`);
  }
  return one.count === null ? other : one;
}

/** An empty variable says nothing. */
function isSet(env: Environment, name: string): boolean {
  return (env[name] ?? '') !== '';
}

function wholeNumber(text: string | undefined): number | null {
  return /^(?:0|[1-9][0-9]{0,8})$/.test(text ?? '') ? Number(text) : null;
}

function fault(message: string): FoundIndex {
  return { kind: 'fault', message };
}

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isOfShard, parseShard } from '../../../src/batch/shard/shard.js';
import { runs, seed } from '../../seed.js';

type Env = Readonly<Record<string, string>>;
const shard = (index: number, count: number) => ({ kind: 'shard', shard: { index, count } });

describe('a shard that is named', () => {
  it.each([
    ['1/1', 1, 1],
    ['1/4', 1, 4],
    ['4/4', 4, 4],
    ['900/1000', 900, 1000],
  ])('%s', (text, index, count) => expect(parseShard(text, {})).toEqual(shard(index, count)));

  it.each([
    ...['', '/', '4', '0/4', '5/4', '-1/4', '1/0', '1.5/4', ' 1/4', '1/4 ', '1/4/4', '01/4'],
    ...['1e1/20', '٣/٤', 'AUTO', 'auto/', 'auto/0', 'auto/-1', 'auto/x', 'auto4', '1/9999999999'],
  ])('refuses %j', (text) => {
    const parsed = parseShard(text, { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '2' });
    expect(parsed.kind).toBe('fault');
  });

  it('is told how', () => {
    expect(parseShard('0/4', {})).toEqual({
      kind: 'fault',
      message: 'shard 0/4 is none: i/n, where i is 1 to n, or auto, or auto/n',
    });
  });

  it('does not look at the environment', () => {
    expect(parseShard('1/2', { CIRCLE_NODE_INDEX: 'x' })).toEqual(shard(1, 2));
  });
});

const slurm = (id: string, [min, max, step, count]: readonly string[]): Env => ({
  SLURM_ARRAY_TASK_ID: id,
  SLURM_ARRAY_TASK_MIN: min ?? '',
  SLURM_ARRAY_TASK_MAX: max ?? '',
  SLURM_ARRAY_TASK_STEP: step ?? '',
  SLURM_ARRAY_TASK_COUNT: count ?? '',
});

describe('a shard by the environment', () => {
  const found: readonly [string, string, Env, number, number][] = [
    ['an indexed job', 'auto/3', { JOB_COMPLETION_INDEX: '0' }, 1, 3],
    ['its last', 'auto/3', { JOB_COMPLETION_INDEX: '2' }, 3, 3],
    [
      'an array of AWS Batch',
      'auto',
      { AWS_BATCH_JOB_ARRAY_INDEX: '7', AWS_BATCH_JOB_ARRAY_SIZE: '10' },
      8,
      10,
    ],
    ['one without its size', 'auto/10', { AWS_BATCH_JOB_ARRAY_INDEX: '7' }, 8, 10],
    ['a Slurm array from 0', 'auto', slurm('0', ['0', '15', '1', '16']), 1, 16],
    ['one from 5 in steps of 5', 'auto', slurm('15', ['5', '20', '5', '4']), 3, 4],
    ['one that ends within a step', 'auto', slurm('12', ['0', '14', '4', '4']), 4, 4],
    ['GitLab', 'auto', { CI_NODE_INDEX: '1', CI_NODE_TOTAL: '5' }, 1, 5],
    ['CircleCI', 'auto', { CIRCLE_NODE_INDEX: '4', CIRCLE_NODE_TOTAL: '5' }, 5, 5],
    [
      'Buildkite',
      'auto/2',
      { BUILDKITE_PARALLEL_JOB: '1', BUILDKITE_PARALLEL_JOB_COUNT: '2' },
      2,
      2,
    ],
    [
      'two that agree',
      'auto',
      {
        CI_NODE_INDEX: '2',
        CI_NODE_TOTAL: '2',
        BUILDKITE_PARALLEL_JOB: '1',
        BUILDKITE_PARALLEL_JOB_COUNT: '2',
      },
      2,
      2,
    ],
    [
      'one that takes its count from another',
      'auto',
      { JOB_COMPLETION_INDEX: '1', CIRCLE_NODE_INDEX: '1', CIRCLE_NODE_TOTAL: '2' },
      2,
      2,
    ],
    [
      'GitLab without a matrix beside it',
      'auto/2',
      { CI_NODE_TOTAL: '1', JOB_COMPLETION_INDEX: '0' },
      1,
      2,
    ],
    ['variables that are empty', 'auto/2', { CI_NODE_INDEX: '', JOB_COMPLETION_INDEX: '1' }, 2, 2],
  ];
  it.each(found)('%s', (_, text, env, index, count) =>
    expect(parseShard(text, env)).toEqual(shard(index, count)),
  );

  const refused: readonly [string, string, Env, string][] = [
    ['nothing known', 'auto', {}, 'JOB_COMPLETION_INDEX'],
    ['nothing known, with a count', 'auto/4', {}, 'CI_NODE_INDEX'],
    ['no count', 'auto', { JOB_COMPLETION_INDEX: '0' }, 'auto/n'],
    ['another count', 'auto/4', { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '5' }, '5'],
    ['an index beyond the count', 'auto/2', { JOB_COMPLETION_INDEX: '2' }, '2'],
    [
      'an index below the first',
      'auto',
      { CI_NODE_INDEX: '0', CI_NODE_TOTAL: '2' },
      'CI_NODE_INDEX',
    ],
    ['an index that is none', 'auto/2', { JOB_COMPLETION_INDEX: 'one' }, 'JOB_COMPLETION_INDEX'],
    ['a negative index', 'auto/2', { JOB_COMPLETION_INDEX: '-1' }, 'JOB_COMPLETION_INDEX'],
    [
      'a count that is none',
      'auto',
      { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '2x' },
      'CIRCLE_NODE_TOTAL',
    ],
    [
      'a count of 0',
      'auto',
      { CIRCLE_NODE_INDEX: '0', CIRCLE_NODE_TOTAL: '0' },
      'CIRCLE_NODE_TOTAL',
    ],
    ['a list of tasks', 'auto', slurm('3', ['1', '9', '1', '3']), 'SLURM'],
    ['a task between the steps', 'auto', slurm('6', ['5', '20', '5', '4']), 'SLURM_ARRAY_TASK_ID'],
    ['a task below the first', 'auto', slurm('1', ['5', '20', '5', '4']), 'SLURM_ARRAY_TASK_ID'],
    ['a step of 0', 'auto', slurm('5', ['5', '20', '0', '4']), 'SLURM_ARRAY_TASK_STEP'],
    ['an array without its start', 'auto/4', { SLURM_ARRAY_TASK_ID: '1' }, 'SLURM_ARRAY_TASK_MIN'],
    [
      'two that do not agree',
      'auto',
      {
        CI_NODE_INDEX: '1',
        CI_NODE_TOTAL: '2',
        BUILDKITE_PARALLEL_JOB: '1',
        BUILDKITE_PARALLEL_JOB_COUNT: '2',
      },
      'BUILDKITE_PARALLEL_JOB',
    ],
  ];
  it.each(refused)('refuses %s', (_, text, env, says) => {
    const parsed = parseShard(text, env);
    expect(parsed).toEqual({ kind: 'fault', message: expect.stringContaining(says) });
  });

  it('shows nothing of a value that could be anything', () => {
    const parsed = parseShard('auto/2', { JOB_COMPLETION_INDEX: '\u001b[31msecret' });
    expect(JSON.stringify(parsed)).not.toMatch(/secret|\\u001b/);
  });
});

describe('the workflows of a shard', () => {
  it('are each in exactly one of them', () => {
    fc.assert(
      fc.property(fc.string(), fc.integer({ min: 1, max: 50 }), (key, count) => {
        const of = Array.from({ length: count }, (_, at) =>
          isOfShard(key, { index: at + 1, count }),
        );
        expect(of.filter(Boolean)).toHaveLength(1);
      }),
      { seed, numRuns: runs(200) },
    );
  });

  it('go by the first 32 bits of the hash', () => {
    // The hash of `a` begins with ca978112, that of `b` with 3e23e816.
    expect(isOfShard('a', { index: (0xca978112 % 7) + 1, count: 7 })).toBe(true);
    expect(isOfShard('b', { index: (0x3e23e816 % 7) + 1, count: 7 })).toBe(true);
  });

  it('are about as many in each', () => {
    const keys = Array.from({ length: 4000 }, (_, at) => `flow-${at}`);
    for (const index of [1, 2, 3, 4]) {
      const { length } = keys.filter((key) => isOfShard(key, { index, count: 4 }));
      expect(Math.abs(length - 1000)).toBeLessThan(150);
    }
  });
});

import { Liquid } from 'liquidjs';
import { describe, expect, it } from 'vitest';
import { isGuarded, rejectionsOf } from '../../../src/compiler/5-lower/guards.js';
import type { Condition } from '../../../src/compiler/ir/workflow.js';

const liquid = new Liquid();
const condition = (guard: string | null): Condition => ({
  value: 'x',
  at: '/edges/0/condition',
  uses: [],
  logical: true,
  routing: guard === null ? 'prose' : 'guard',
  guard,
  call: null,
});
const ways = (...guards: readonly (string | null)[]) =>
  guards.map((guard) => ({ condition: condition(guard) }));
const prints = (test: string) => `{% if ${test} %}true{% else %}false{% endif %}`;

describe('rejectionsOf', () => {
  it('refuses nothing where a way is always open', () => {
    expect(rejectionsOf(ways(prints('x'), null))).toEqual([]);
    expect(rejectionsOf([...ways(prints('x')), { condition: null }])).toEqual([]);
    expect(isGuarded(null)).toBe(false);
  });

  it('refuses exactly where no way is open', () => {
    const rejections = rejectionsOf(ways(prints('x == 1'), prints('y == 2')));
    const refused = (scope: object) =>
      rejections.every(({ value }) => liquid.parseAndRenderSync(value, scope) === 'true');
    expect(refused({ x: 1, y: 2 })).toBe(false);
    expect(refused({ x: 1, y: 0 })).toBe(false);
    expect(refused({ x: 0, y: 2 })).toBe(false);
    expect(refused({ x: 0, y: 0 })).toBe(true);
    expect(refused({})).toBe(true);
  });

  it('says a condition once, and where it stands', () => {
    const [rejection, ...others] = rejectionsOf(ways(prints('x'), prints('x')));
    expect(others).toEqual([]);
    expect(rejection!.origin).toMatchObject({ rule: 'guard', from: ['/edges/0/condition'] });
  });

  it('works for a guard that uses its own variable', () => {
    const [rejection] = rejectionsOf(ways(prints('squadc_open == 1')));
    const render = (scope: object) => liquid.parseAndRenderSync(rejection!.value, scope);
    expect([render({ squadc_open: 1 }), render({})]).toEqual(['false', 'true']);
  });
});

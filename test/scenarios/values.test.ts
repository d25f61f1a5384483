/** Values that make a call follow its walk. */
import { describe, expect, it } from 'vitest';
import type { Sample } from '../../src/scenarios/tools.js';
import { createJudge } from '../../src/scenarios/values.js';
import { captures, type Plan, request, workflow } from '../compiler/build.js';
import { planned } from './planned.js';

const options = {
  answers: { policies: { 'logical-condition': 'prose', 'undefined-variable': 'caller' } },
};

/** For each call what is said (and given, and there from the beginning), and where it ends. */
function callsOf(plan: Plan): string[] {
  return planned(workflow(plan), options)!.scripts.map(({ turns, mocks, supplied }) =>
    [
      ...turns.flatMap(({ says }) => says.map(({ capture, value }) => `${capture.name}=${value}`)),
      ...mocks.map(({ tool, result }) => `${tool}: ${result}`),
      ...[...supplied].map(([name, value]) => `${name}:=${value}`),
      turns.at(-1)!.node.id,
    ].join(', '),
  );
}

function choosing(name: string, ...choices: string[]) {
  return { extractVariables: [{ name, type: 'string', description: name, enum: choices }] };
}

describe('what the caller says', () => {
  it('is a choice that the words of the walk name', () => {
    const nodes = { ask: choosing('wish', 'a table', 'delivery'), in: 'x', out: 'y' };
    const edges = ['ask > in: books a table', 'ask > out: wants Delivery, now'];
    expect(callsOf({ nodes, edges })).toEqual(['wish=a table, in', 'wish=delivery, out']);
  });

  it('is not a choice that only another edge names', () => {
    const nodes = { ask: choosing('wish', 'table', 'delivery'), table: 'x', van: 'y' };
    const edges = ['ask > table: sits down', 'ask > van: has it brought'];
    expect(callsOf({ nodes, edges })).toEqual(['wish=table, table', 'wish=delivery, van']);
  });

  it('makes expressions true, and those of other edges false', () => {
    const nodes = {
      ask: captures('age: number', 'member: boolean'),
      old: 'x',
      young: 'y',
      rest: 'z',
    };
    const edges = [
      'ask > old: age >= 65',
      'ask > young: age < 18 && member == false',
      'ask > rest',
    ];
    expect(callsOf({ nodes, edges })).toEqual([
      'age=65, member=true, old',
      'age=3, member=false, young',
      'age=3, member=true, rest',
    ]);
  });

  it('makes the conditions of other edges false where an edge has none', () => {
    const nodes = { ask: captures('member: boolean'), in: 'x', rest: 'y' };
    const edges = ['ask > in: member == true', 'ask > rest'];
    expect(callsOf({ nodes, edges })).toEqual(['member=true, in', 'member=false, rest']);
  });

  it('changes from visit to visit', () => {
    const nodes = { ask: captures('code: number'), again: 'Say so.', in: 'x' };
    const edges = ['ask > again: code != 7', 'again > ask', 'ask > in: code == 7'];
    expect(callsOf({ nodes, edges })).toEqual(['code=3, code=7, in']);
  });

  it('fits what the variable is called', () => {
    const nodes = { ask: captures('email', 'firstName', 'weird_thing') };
    expect(callsOf({ nodes })).toEqual([
      'email=ada@example.com, firstName=Ada, weird_thing=sample weird thing, ask',
    ]);
  });
});

describe('what else decides', () => {
  it('is what a tool gives, in values or else in words', () => {
    const paths = [{ name: 'left', path: 'stock.left' }];
    const nodes = { hello: 'Hi.', stock: request({ responseVariables: paths }), yes: 'x', no: 'y' };
    const edges = ['hello > stock', 'stock > yes: left > 5', 'stock > no: it is sold out'];
    expect(callsOf({ nodes, edges })).toEqual([
      'stock: {"stock":{"left":6}}, yes',
      'stock: {"stock":{"left":"sample left"},"outcome":"it is sold out"}, no',
    ]);
  });

  it('is what the call begins with', () => {
    const nodes = { hello: 'Hi {{who}}, it is {{now}}.', gold: 'x', other: 'y' };
    const edges = ["hello > gold: tier == 'gold'", 'hello > other'];
    expect(callsOf({ nodes, edges })).toEqual([
      'who:=sample who, tier:=gold, gold',
      'who:=sample who, tier:=sample tier, other',
    ]);
  });
});

describe('an expression', () => {
  const values: Record<string, Sample | undefined> = { n: 5, t: 'abc', yes: true, no: false };
  it.each<[string, boolean]>([
    ['n == 5', true],
    ['n != 5', false],
    ['n > 4 && n <= 5', true],
    ['n < 5 || t == "abc"', true],
    ['!no', true],
    ['yes and no', false],
    ['t contains "b"', true],
    ['t > 3', false],
    ['missing == nil', true],
    ['missing', false],
    ['{{ n }} == 5', true],
    ['TRUE == yes', true],
  ])('%s: %s', (text, holds) => {
    expect(createJudge(text)!.holds((name) => values[name])).toBe(holds);
  });

  it.each([
    'n.a == 5',
    '{{ n | plus: 1 }} == 6',
    'the n == 5',
    '!(yes && no)',
    'yes && (no || n > 1)',
    'n == $5',
    '{% if n %}true{% endif %}',
  ])('is not judged: %s', (text) => expect(createJudge(text)).toBeNull());
});

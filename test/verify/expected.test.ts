/** What the verifier expects of a squad, tested with squads of other workflows and options. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions, Json } from '../../src/index.js';
import {
  type Any,
  captures,
  compile,
  says,
  sketch,
  tableOf,
  withRoles,
} from '../compiler/build.js';
import { replaced, verdict } from './squads.js';

const policy = (kind: string, choice: string): CompileOptions => ({
  answers: { policies: { [kind]: choice } },
});
const kept = policy('cyclic-stages', 'keep-split');
const joined = policy('cyclic-stages', 'consolidate');
const byTools: CompileOptions = { boundary: 'tools' };
const squadOf = (workflow: object, options: CompileOptions = {}): Any =>
  compile(workflow, options).output;
/** The questions that are reported as unanswered. */
const openIn = (texts: string) => [
  ...new Set(texts.match(/(?<=The question “).*(?=” has no answer)/g)),
];

/** Options by the word at the end of a row's edges. */
const given: Readonly<Record<string, CompileOptions>> = { joined, kept, byTools };

/** Rows of `what || edges || edges of the other workflow || the fault`. */
const groupings = `
splits a chain || a > b: 1 | b > c: 3 || a > b: 1 | a > c: 2 | b > c: 3 || “a” and “b” belong together
splits a cycle || a > b | b > c: 1 | c > b: 2 joined || a > b | b > c: 1 | c > b: 2 kept || “b” and “c” belong together
splits nodes with the same tools || a > b: 1 | a > c: 2 byTools || a > b: 1 | a > c: 2 || “a” and “b” belong together
merges branches || a > b: 1 | a > c: 2 || a > b: 1 | a > c: 2 byTools || “a” and “b”, which belong to two assistants.
merges nodes that an answer keeps apart || a > b | b > c: 1 | c > b: 2 kept || a > b | b > c: 1 | c > b: 2 joined || which an answer keeps apart.
has an assistant for a line || a > l: 1 | l > b || a > l: 1 | a > b: 2 | l > b: 3 || “l” has no conversation or gather node.
keeps equal nodes apart || a > q1: 1 | a > q2: 2 | q1 > d | q2 > d || a > q1: 1 | a > q2: 2 | q1 > d | q2 > d: x || behave the same
has a tool in the wrong assistant || a > t: 1 | a > c: 2 | t > b || a > t: 1 | a > c: 2 | t > b | c > b ||  call “t”
lacks a tool || a > b: 1 | a > c: 2 | b > t | c > t || a > b: 1 | a > c: 2 | b > t || “c” does not call “t”
`;

describe('a squad with a different grouping', () => {
  const line = { systemPrompt: undefined, firstMessage: 'A line.' };
  const equal = says('Do the same.');
  const read = (side: string) => {
    const [, edges = '', word = ''] = /^(.*?)(?: (joined|kept|byTools))?$/.exec(side) ?? [];
    const nodes = Object.entries({ l: line, q1: equal, q2: equal });
    const more = Object.fromEntries(nodes.filter(([id]) => edges.includes(id)));
    return [sketch(edges, more), given[word]] as const;
  };

  it.each(tableOf(groupings))('fails item 2 if it %s', (_, own = '', other = '', fault = '') => {
    const [workflow, options] = read(own);
    const { items, texts } = verdict(workflow, squadOf(...read(other)), options);
    expect(items).toContain(2);
    expect(texts).toContain(fault);
  });

  it.each([
    ['a chain is split', 'a > b: x | b > c: y | a > c: z', 0],
    ['branches are merged', 'a > b: x | a > c: y', 1],
  ])('fails only item 2 if %s', (_, edges, isMerged) => {
    const squad = squadOf(sketch(edges), isMerged ? byTools : {});
    const lost = /,\{"type":"assistant","assistantName":"c","description":"z"[^}]*\}\}/;
    const way = '- If: z\\n  Then: hand off to \\"c\\".\\n';
    const text = JSON.stringify(squad).replace(lost, '').replace(way, '');
    const workflow = sketch(edges.replace(' | a > c: z', ''));
    const { items, said } = verdict(workflow, JSON.parse(text));
    expect({ items, said }).toEqual({ items: [2], said: ['check/item-fails'] });
  });
});

describe('a question about stages', () => {
  const round = sketch('s > b | b > c: x | c > b: y | c > d: z | d > c: w');
  const voices = sketch('a > b', {
    a: { voice: { provider: 'p', voiceId: '1' } },
    b: { voice: { provider: 'p', voiceId: '2' } },
  });
  const apart = policy('conflicting-settings', 'keep-split');
  /** An answer to the only question. */
  const group = (value: string[][], workflow: object = round): CompileOptions => {
    const [id = ''] = openIn(verdict(workflow, { squad: { members: [] } }).texts);
    return { answers: { answers: { [id]: { choice: 'group', value } } } };
  };

  it.each<[string, object, CompileOptions, string]>([
    ['keeps a cycle apart', round, kept, 'cyclic-stages:b'],
    ['keeps settings apart', voices, apart, 'conflicting-settings:a'],
    ['groups some nodes', round, group([['b', 'c']]), 'cyclic-stages:b'],
  ])('is settled by an answer that %s, and open without it', (_, workflow, answer, id) => {
    const squad = squadOf(workflow, answer);
    expect(verdict(workflow, squad, answer)).toMatchObject({ holds: true, waived: [id] });
    const { verdict: judged, items, open, waived, texts } = verdict(workflow, squad);
    expect([judged, items, open]).toEqual(['undecided', [], expect.arrayContaining([2])]);
    expect(waived).toEqual([]);
    expect(texts).toContain(`The question “${id}~`);
  });

  it('is not settled for this squad by an answer with other groups', () => {
    const squad = squadOf(round, group([['b', 'c']]));
    expect(verdict(round, squad, group([['c', 'd']])).items).toContain(2);
  });

  const same = says('Do the same.');
  const edges = 's > b | b > c: x | c > b: y | b > d: m | c > e: n | d > b: r | e > b: r';
  const twins = sketch(edges, { d: same, e: same });
  it.each([
    ['a group names a node outside the cycle', round, [['s', 'b']]],
    [
      'two equal nodes are in different groups',
      twins,
      [
        ['b', 'd'],
        ['c', 'e'],
      ],
    ],
  ])('stays open if %s', (_, workflow, groups) => {
    const { texts } = verdict(workflow, squadOf(workflow, kept), group(groups, workflow));
    expect(openIn(texts)[0]).toMatch(/^cyclic-stages:b~/);
  });
});

const reads = (...names: string[]) => says(`Say ${names.map((it) => `{{${it}}}`).join(' and ')}.`);
const fork = 'a > b: x | a > c: y';
const roles = {
  sets: captures('v'),
  reads: reads('v'),
  'reads-builtins': reads('now', 'customer'),
  responds: {
    responseVariables: [{ name: 'v', type: 'string', description: 'the v', path: 'it' }],
  },
  sends: { body: { type: 'object', name: '{{v}}' } },
  posts: { method: 'POST', body: { type: 'object', name: '{{v}}' } },
  global: { isGlobal: true, condition: 'at any time' },
};

describe('a variable at a handoff', () => {
  /** The squad without the plans of the handoffs to an assistant. */
  const without = (squad: Any, to: string) =>
    JSON.parse(JSON.stringify(squad), (_, value) => {
      if (value?.assistantName === to) delete value.variableExtractionPlan;
      return value;
    });

  it.each(
    tableOf(`
    the shortest call that loses it || a > b: x | a > c: y | b > r: m | b > d: n || b || a b r || a sets, r reads
    a call through that handoff || a > c: y | a > b: x | c > r: m | c > d: n | b > r: m | b > d: n || b || a b r || a sets, r reads
    a call in which it is not captured again || a > b: x | a > c: y | b > r: m | b > d: n || b || a b r || a sets, b sets, r reads
    a call that goes by what was captured before || a > b: x | a > c: y | b > d: for {{v}} | b > e: n || b || a b || a sets, b sets
    a call through three captures || a > b: x | a > c: y | b > s: m | b > d: n | s > r: k | s > e: l || s || a b s r || a sets, b sets, s sets, r reads
    a call that enters a global node || a > b: x | a > c: y | d || d || a d || a sets, d global reads
    `),
  )('is missed, if it is not carried, on %s', (_, edges = '', to = '', call, given = '') => {
    const workflow = sketch(edges, withRoles(given, roles));
    const found = verdict(workflow, without(squadOf(workflow), to));
    expect(found.items).toEqual([4]);
    expect(found.calls).toContain(call);
  });

  it('has the description of every capture that reaches it', () => {
    const other = { type: 'number', description: 'another v' };
    const workflow = sketch('a > t1: 1 | a > t2: 2 | t1 > t2 | t2 > b: 3 | t2 > c: 4', {
      a: captures('v'),
      t1: { extractVariables: [{ name: 'v', ...other }] },
      b: reads('v'),
    });
    const squad = squadOf(workflow);
    const described = (v: Json) => {
      const text = JSON.stringify(squad).replace(/"properties":\{"v":\{.*?\}/, () => {
        return `"properties":{"v":${JSON.stringify(v)}`;
      });
      return verdict(workflow, JSON.parse(text)).items;
    };
    const both = { type: 'string', description: 'the v; or another v' };
    expect(described(both)).toEqual([]);
    for (const wrong of [{ ...both, type: 'number' }, other, { ...both, enum: ['yes'] }]) {
      expect(described(wrong)).toEqual([4]);
    }
  });
});

describe('a question about a variable', () => {
  it.each(
    tableOf(`
    is set nowhere || a > b: x | a > c: y || b reads || asked
    is built in || a || a reads-builtins
    is captured before || a > b: x | a > c: y || a sets, b reads
    is captured by the node that reads it || a || a sets reads
    is captured on another branch || c > a: x | c > b: y || a sets, b reads || asked
    is captured later in the cycle || c > b | b > a: x | a > b || a sets, b reads
    is set by a tool before || a > t | t > b: x | t > c: y || t responds, b reads
    is set by a tool on another branch || a > b: x | a > t: y | t > c || t responds, b reads || asked
    is captured before a global node || a | b || a sets, b global
    is supplied by the caller || a || a reads || given
    `),
  )('is asked only if nothing sets it: a variable that %s', (_, edges = '', given = '', what) => {
    const options = what === 'given' ? { dynamicVariables: ['v'] } : {};
    const workflow = sketch(edges, withRoles(given, roles));
    const policies = { 'cyclic-stages': 'consolidate' };
    const caller = { policies: { ...policies, 'undefined-variable': 'caller' } };
    const squad = squadOf(workflow, { ...options, answers: caller });
    const { texts } = verdict(workflow, squad, { ...options, answers: { policies } });
    expect(openIn(texts)).toEqual(what === 'asked' ? ['undefined-variable:v'] : []);
  });

  const critical: CompileOptions = { criticalVariables: ['v'] };
  it.each<[string, string, string, CompileOptions, boolean]>([
    ['is declared critical and is carried', fork, '', critical, true],
    ['is declared critical and is not carried', 'a > b', '', critical, false],
    ['feeds a request that changes something', `${fork} | b > t`, 't posts', {}, true],
    ['feeds a request that only reads', `${fork} | b > t`, 't sends', {}, false],
    ['is not critical', fork, '', {}, false],
  ])('is asked only if critical and carried: one that %s', (_, edges, given, options, isAsked) => {
    const workflow = sketch(edges, withRoles(`a sets, b reads, ${given}`, roles));
    const effort = policy('critical-variable', 'best-effort');
    const squad = squadOf(workflow, { ...options, ...effort });
    expect(verdict(workflow, squad, { ...options, ...effort }).holds).toBe(true);
    const { texts } = verdict(workflow, squad, options);
    expect(openIn(texts)).toEqual(isAsked ? ['critical-variable:v'] : []);
  });
});

it('the option `pass` decides whether a handoff requires its variables as arguments', () => {
  const passing: CompileOptions = { target: 'vapi', pass: 'arguments' };
  const planning: CompileOptions = { target: 'vapi' };
  const size = { name: 'size', type: 'string', description: 'the size', enum: ['S', 'L'] };
  const workflow = (name: string) =>
    sketch('a > b: x | a > c: y | a > d: z', {
      a: { extractVariables: [...captures(name).extractVariables, size] },
      b: reads(name, 'size'),
      c: reads(name),
    });
  const [usual, named] = [workflow('v'), workflow('destination')];
  const squad = squadOf(usual, passing);
  expect(verdict(usual, squad, passing).holds).toBe(true);
  expect(verdict(usual, squad, planning).items).toContain(4);
  expect(verdict(usual, squadOf(usual, planning), passing).texts).toContain(
    'The handoff from “a” to “b” does not require “v” and “size”, although an answer or option does.',
  );
  // An argument of that name says where the handoff leads.
  const planLost = '"variableExtractionPlan" => "plan"';
  expect(replaced(named, planLost, passing).items).toContain(4);
});

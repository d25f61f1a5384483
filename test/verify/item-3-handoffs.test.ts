import { describe, expect, it } from 'vitest';
import { checkHandoffs } from './checks.js';
import {
  captured,
  clinic,
  edge,
  faultsOf,
  handoff,
  migrate,
  talk,
  valueAt,
  withElement,
  without,
  withValue,
} from './migration.js';

const input = migrate(clinic);
const toBilling = handoff(input, 'greeting', 'billing');
const toOperator = handoff(input, 'billing', 'operator');

describe('item 3', () => {
  it('holds, with evidence for every retained edge and global node', () => {
    const item = checkHandoffs(input);
    expect(faultsOf(item)).toEqual([]);
    expect(item.evidence.map(({ text }) => text)).toEqual([
      'The condition “wants an appointment” describes the handoff from “greeting” to “scheduling”.',
      'The condition “asks about a bill” describes the handoff from “greeting” to “billing”.',
      ...['greeting', 'scheduling', 'billing'].map(
        (from) =>
          `The condition “the caller asks for a human” describes the handoff from “${from}” to “operator”.`,
      ),
    ]);
    expect(item.evidence[1]).toMatchObject({ source: ['/edges/2'], output: [toBilling] });
  });

  it('holds where nothing is handed off', () => {
    const item = checkHandoffs(migrate({ name: 'One', nodes: [talk('a')], edges: [] }));
    expect(item.evidence).toHaveLength(1);
    expect(item.holds).toBe(true);
  });

  it('fails where the description is another', () => {
    const vague = withValue(input, `${toBilling}/description`, 'asks about something');
    expect(faultsOf(checkHandoffs(vague))).toEqual([
      'The handoff from “greeting” to “billing” lacks the condition “asks about a bill”.',
    ]);
    const global = withValue(input, `${toOperator}/description`, 'is angry');
    expect(checkHandoffs(global).holds).toBe(false);
  });

  it('fails where a destination is missing', () => {
    expect(faultsOf(checkHandoffs(without(input, toBilling)))).toEqual([
      '“greeting” has no handoff for the condition “asks about a bill”.',
    ]);
    const silent = without(input, toOperator.replace(/\/destinations\/0$/, ''));
    expect(faultsOf(checkHandoffs(silent))).toEqual([
      '“billing” has no handoff for the condition “the caller asks for a human”.',
    ]);
  });

  it('fails where a destination leads elsewhere', () => {
    const astray = withValue(input, `${toBilling}/assistantName`, 'scheduling');
    expect(faultsOf(checkHandoffs(astray))).toEqual([
      'The handoff from “greeting” for the condition “asks about a bill” does not lead to “billing”.',
    ]);
    expect(checkHandoffs(withValue(input, `${toBilling}/assistantName`, 'nobody')).holds).toBe(
      false,
    );
  });

  it('fails where a destination is left over', () => {
    const list = toOperator.replace(/\/0$/, '');
    const stray = {
      ...(valueAt(input.document, toOperator) as object),
      assistantName: 'scheduling',
    };
    expect(faultsOf(checkHandoffs(withElement(input, list, stray)))).toEqual([
      'No edge and no global node allows the handoff from “billing” to “scheduling”.',
    ]);
    const twice = withElement(input, list, valueAt(input.document, toOperator));
    expect(faultsOf(checkHandoffs(twice))).toEqual([
      'No edge and no global node allows the handoff from “billing” to “operator”.',
    ]);
    const itself = { ...stray, assistantName: 'billing' };
    expect(faultsOf(checkHandoffs(withElement(input, list, itself)))).toEqual([
      '“billing” hands off to itself.',
    ]);
  });

  it('wants a description for an edge without a condition, too', () => {
    const plain = migrate({
      ...clinic,
      edges: clinic.edges.map((each) =>
        each.to === 'billing' ? { from: each.from, to: each.to } : each,
      ),
    });
    expect(checkHandoffs(plain).holds).toBe(true);
    const at = `${handoff(plain, 'greeting', 'billing')}/description`;
    expect(checkHandoffs(withValue(plain, at, ' ')).holds).toBe(false);
  });

  it('tells guarded ways to global nodes from the others', () => {
    const nodes = [
      talk('a', { extractVariables: [captured('v')] }),
      talk('g', { isGlobal: true, condition: "v == 'x'" }),
      talk('h', { isGlobal: true, condition: 'asks for h' }),
    ];
    const workflow = { name: 'G', nodes, edges: [edge('g>h'), edge('h>g')] };
    const guarded = migrate(workflow, {
      target: 'vapi',
      answers: { policies: { 'logical-condition': 'guard', 'cyclic-stages': 'consolidate' } },
    });
    expect(checkHandoffs(guarded).evidence.map(({ output }) => output)).toEqual([
      ['/members/0/assistant/model/tools/0/destinations/0'],
      ['/members/0/assistant/model/tools/1/destinations/0'],
    ]);
    expect(faultsOf(checkHandoffs(guarded))).toEqual([]);
    const at = handoff(guarded, 'a', 'g');
    expect(checkHandoffs(without(guarded, at)).holds).toBe(false);
  });
});

import { describe, expect, it } from 'vitest';
import { anytime, compiled, type Plan, transfer } from '../build.js';

const transfers = (plan: Plan) =>
  compiled(plan).members.map(({ tools }) => tools.filter(({ type }) => type === 'transferCall'));
const to = (number: string, more: object = {}) => ({
  type: 'transferCall',
  destinations: [{ type: 'number', number, ...more }],
});

describe('transfer tools', () => {
  it('are one per node and assistant, with the conditions of all its edges', () => {
    const plan: Plan = {
      nodes: {
        a: 'A',
        b: 'B',
        c: 'C',
        x: transfer({ transferPlan: { message: '  One {{now}}. ' } }),
      },
      edges: ['a > b', 'a > x: 1', 'b > x: 2', 'b > c: 3', 'a > c: 4', 'c > x'],
    };
    const message = '  One {{now}}. ';
    expect(transfers(plan)).toEqual(
      [
        [to('+14155550100', { message, description: '1' })],
        [to('+14155550100', { message, description: '2' })],
        [to('+14155550100', { message, description: 'when done with c' })],
      ].slice(0, transfers(plan).length),
    );
    const joined: Plan = { ...plan, edges: ['a > b: 0', 'a > x: 1', 'b > x: 2', 'a > x: 1'] };
    expect(transfers(joined)).toEqual([[to('+14155550100', { message, description: '1; or 2' })]]);
  });

  it('carry the number as it is written, and an address for what it is', () => {
    const plan: Plan = {
      nodes: {
        a: 'A',
        x: transfer({ destination: '0800 12' }),
        y: transfer({ destination: 'sip:a@b.example' }),
      },
      edges: ['a > x: 1', 'a > y: 2'],
    };
    expect(transfers(plan)[0]).toEqual([
      to('0800 12', { description: '1' }),
      {
        type: 'transferCall',
        destinations: [{ type: 'sip', sipUri: 'sip:a@b.example', description: '2' }],
      },
    ]);
  });

  it('are on every assistant where the node is global, once', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C', x: { ...anytime('angry'), ...transfer() } },
      edges: ['a > b: 1', 'a > c: 2', 'b > x: 3', 'b > x'],
    };
    expect(transfers(plan)).toEqual([
      [to('+14155550100', { description: 'angry' })],
      [to('+14155550100', { description: '3; or otherwise, when done with b; or angry' })],
      [to('+14155550100', { description: 'angry' })],
    ]);
  });

  it('of equal nodes are one', () => {
    const plan: Plan = {
      nodes: { a: 'A', x: transfer(), y: transfer() },
      edges: ['a > x: 1', 'a > y: 2'],
    };
    expect(transfers(plan)).toEqual([[to('+14155550100', { description: '1; or 2' })]]);
  });
});

import { describe, expect, it } from 'vitest';
import { emit } from '../../../src/compiler/emit.js';
import type { CompileOptions } from '../../../src/compiler/ir/options.js';
import type { SquadIr } from '../../../src/compiler/ir/squad-ir.js';
import { anytime, capturing, end, type Plan, request, transfer, workflow } from '../build.js';

const lowered = (plan: Plan, options: CompileOptions = {}): SquadIr =>
  emit(workflow(plan), options, 'squad-ir').document as SquadIr;

describe('lower', () => {
  const plan: Plan = {
    nodes: {
      a: { firstMessage: 'Hi.', ...capturing('x') },
      b: 'B {{x}}',
      c: 'C',
      stop: end,
      g: { ...anytime('asks'), systemPrompt: 'G' },
    },
    edges: ['a > b: 1', 'a > c: 2', 'b > stop'],
  };

  it('numbers assistants as members, with unique names', () => {
    const { assistants } = lowered(plan);
    expect(assistants.map(({ index }) => index)).toEqual([0, 1, 2, 3]);
    expect(assistants.map(({ name }) => name.value)).toEqual(['a', 'b', 'c', 'g']);
  });

  it('says with which assistants a call can end', () => {
    const ends = (more: object = {}): boolean[] =>
      lowered({ ...plan, nodes: { ...plan.nodes, ...more } }).assistants.map((it) => it.endsCall);
    expect(ends()).toEqual([false, true, false, false]);
    expect(ends({ h: { ...anytime('rude'), type: 'hangup' } })).toEqual([true, true, true, true]);
    expect(ends({ h: { ...anytime('angry'), ...transfer() } })).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });

  it('puts the tools of a step before those of later steps, global ones last', () => {
    const ordered: Plan = {
      nodes: {
        a: 'A',
        t: request(),
        b: 'B',
        c: 'C',
        x: transfer(),
        g: { ...anytime('asks'), systemPrompt: 'G' },
        y: { ...anytime('angry'), ...transfer({ destination: '+14155550199' }) },
      },
      edges: ['a > x: 0', 'a > t: 1', 't > b: 2', 't > c: 3', 'a > c: 4'],
    };
    const [first] = lowered(ordered).assistants;
    expect(first!.tools.map(({ kind }) => kind)).toEqual([
      'handoff',
      'transfer',
      'request',
      'handoff',
      'handoff',
      'transfer',
    ]);
  });

  it('knows the origin of the name, the line and the context', () => {
    const { assistants, context, name } = lowered(plan, { names: { b: 'Billing' } });
    expect(name).toEqual({ value: 'By hand', origin: { kind: 'source', at: '/name' } });
    expect(assistants[0]!.firstMessage!.origin).toEqual({
      kind: 'source',
      at: '/nodes/0/firstMessage',
    });
    expect(assistants[1]!.name.origin).toEqual({ kind: 'answer', option: 'names' });
    expect(context.origin).toMatchObject({ rule: 'default-context' });
    expect(lowered(plan, { context: { type: 'none' } }).context).toEqual({
      value: { type: 'none' },
      origin: { kind: 'answer', option: 'context' },
    });
  });

  it('leads from handoffs to other assistants only', () => {
    for (const { index, tools } of lowered(plan).assistants) {
      for (const tool of tools) {
        if (tool.kind !== 'handoff') continue;
        for (const { region } of tool.destinations) expect(region).not.toBe(index);
      }
    }
  });
});

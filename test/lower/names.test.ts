/** Names of assistants and tools: short, unique, readable, and the same every time. */
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import { assistantsOf, codesOf, compiled, flow, request, toolsOf } from './squads.js';

/** Assistants next to each other, by the names of their nodes. */
function named(names: readonly string[], options = {}) {
  const nodes = Object.fromEntries(
    names.map((name, at) => [`n${at}`, { name, systemPrompt: `${at}` }]),
  );
  const edges = names.map((_, at) => `s > n${at}: ${at}`).join(' | ');
  return compiled(flow({ s: 'Start', ...nodes }, edges), options);
}

const namesOf = (names: readonly string[], options = {}) =>
  assistantsOf(named(names, options))
    .slice(1)
    .map(({ name }) => name);

const long = 'Collect the details of the appointment and confirm them';

describe('names of assistants', () => {
  it.each([
    ['are those of their nodes', ['Intake', 'Überweisung 🙂'], ['Intake', 'Überweisung 🙂']],
    ['are told apart', ['a', 'A', 'a', 'a 2'], ['a', 'A 2', 'a 3', 'a 2 2']],
    ['hold no line break and no Liquid', ['{{a}}\n b{%c%}', '{{}}'], ['a b%c', 'assistant']],
    ['have at most 40 characters', [long, 'b'], [`${long.slice(0, 31)}-4402351a`, 'b']],
    [
      'have at most 40 characters with a number',
      ['x'.repeat(40), 'x'.repeat(40)],
      ['x'.repeat(40), `${'x'.repeat(38)} 2`],
    ],
  ])('%s', (_, wanted, given) => {
    expect(namesOf(wanted)).toEqual(given);
  });

  it('come from the option, by the first talk node, which may name no other', () => {
    const workflow = flow({ a: 'A', b: 'B' }, 'a > b');
    const result = compile(workflow, { names: { a: 'Desk', b: 'Never' } });
    expect(assistantsOf(result).map(({ name }) => name)).toEqual(['Desk']);
    expect(result.diagnostics.map(({ code, at }) => `${code} ${at}`)).toContain(
      'api/unknown-node /names/b',
    );
  });

  it('are told where they are not the wanted ones', () => {
    expect(codesOf(named(['a', 'a', 'b']), 'lower/renamed')).toEqual([
      'lower/renamed /nodes/2/name',
    ]);
  });

  it('take time in proportion to their number, however many are the same', () => {
    const time = (count: number) => {
      const begin = process.cpuUsage();
      const given = namesOf(Array.from({ length: count }, () => 'same'));
      expect(given.at(-1)).toBe(`same ${count}`);
      const { user } = process.cpuUsage(begin);
      return user;
    };
    time(100);
    expect(time(2000)).toBeLessThan(time(500) * 4 * 3);
  }, 60_000);
});

describe('names of tools', () => {
  it('are legal, unique among all assistants, and shared by equal nodes', () => {
    const result = compiled(
      flow(
        {
          s: 'S',
          a: 'A',
          b: 'B',
          r1: request({ name: 'Find {order}!' }),
          r2: request({ name: 'find order', url: 'https://api.example.com/y' }),
        },
        's > a: a | s > b: b | a > r1: now | a > r2: later | b > r1: now',
      ),
    );
    const names = (index: number) => toolsOf(result, index).flatMap(({ name }) => name ?? []);
    expect([names(1), names(2)]).toEqual([['Find_order', 'find_order_2'], ['Find_order']]);
  });

  it('of handoffs are those of no other tool', () => {
    const result = compiled(
      flow(
        { s: 'S', r: request({ name: 'handoff_to_a' }), a: 'A', b: 'B' },
        's > r: x | s > a: y | s > b: z',
      ),
      { target: 'vapi' },
    );
    const functions = toolsOf(result).flatMap((tool) => tool.function?.name ?? []);
    expect(functions).toEqual(['handoff_to_a_2', 'handoff_to_b']);
  });
});

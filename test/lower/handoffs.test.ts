/** Which handoffs there are, when they are made, and how they are put together. */
import { describe, expect, it } from 'vitest';
import type { CompileOptions } from '../../src/index.js';
import { type Any, captures, compiled, destinationsOf, flow, toolsOf } from './squads.js';

const asks = { isGlobal: true, condition: 'the caller asks' };
const branches = flow(
  { s: 'S', a: 'A', b: 'B', g: { ...asks, systemPrompt: 'G' } },
  's > a: x | s > b: y',
);
const namesOf = ({ destinations }: Any) => destinations.map((it: Any) => it.assistantName).join();

const described = (result: Any, index = 0) =>
  destinationsOf(result, index).map((it) => `${it.assistantName}: ${it.description}`);

describe('the description of a handoff', () => {
  it.each([
    ['is its condition', [], 's > a: x | s > b: y', ['a: x', 'b: y']],
    [
      'says what was collected',
      ['p', 'q', 'r'],
      's > a | s > a: x',
      ['a: otherwise, after collecting p, q and r; or x'],
    ],
    ['or that all is done', [], 's > a | s > b', ['a: when done with s', 'b: when done with s']],
    [
      'holds each condition once',
      [],
      's > a: x | s > b: y | s > a: z | s > a: x',
      ['a: x; or z', 'b: y'],
    ],
  ])('%s', (_, names, edges, expected) => {
    const s = names.length === 0 ? 'S' : captures(...names);
    const more = edges.includes('> b') ? '' : ' | s > b: last';
    const found = described(compiled(flow({ s, a: 'A', b: 'B' }, edges + more)));
    expect(found).toEqual(more === '' ? expected : [...expected, 'b: last']);
  });

  it('to a global node is its condition, from every other assistant', () => {
    const all = [0, 1, 2, 3].map((index) => described(compiled(branches), index));
    const [to] = ['g: the caller asks'];
    expect(all).toEqual([['a: x', 'b: y', to], [to], [to], []]);
  });
});

describe('the tools of handoffs', () => {
  const claude = { model: { provider: 'anthropic', model: 'claude-sonnet-4-6' } };

  it.each<[string, CompileOptions, string[]]>([
    [
      'one for the ways out of a node, one for the global ones',
      { handoffTools: 'grouped' },
      ['a,b', 'g'],
    ],
    ['one each', { handoffTools: 'separate' }, ['a', 'b', 'g']],
    ['as the model family likes it: one each', { handoffTools: 'auto' }, ['a', 'b', 'g']],
    ['as the model family likes it: together', { handoffTools: 'auto', ...claude }, ['a,b', 'g']],
  ])('are %s', (_, options, expected) => {
    expect(toolsOf(compiled(branches, options)).map(namesOf)).toEqual(expected);
  });

  it('have functions in target vapi, are silent, and carry the context that is asked for', () => {
    const context = { type: 'lastNMessages', maxMessages: 4 } as const;
    const options = { target: 'vapi', handoffTools: 'grouped', context } as const;
    const [first] = toolsOf(compiled(branches, options));
    expect(Object.keys(first)).toEqual(['type', 'destinations', 'function', 'messages']);
    expect([first.function.name, first.messages]).toEqual(['handoff_to_a_or_b', []]);
    expect(first.destinations[0].contextEngineeringPlan).toEqual(context);
  });
});

describe('arguments of handoffs', () => {
  const readers = { a: 'A {{p}} {{destination}}', b: 'B {{q}}', c: 'C {{p}}', d: 'D' };
  const edges = 's > a: 1 | s > b: 2 | s > c: 3 | s > d: 4';
  const workflow = flow({ s: captures('p', 'q', 'destination'), ...readers }, edges);
  const result = compiled(workflow, { target: 'vapi', pass: 'arguments', handoffTools: 'grouped' });

  it('are required, and the tools whose arguments differ stay apart', () => {
    const tools = toolsOf(result);
    const parameters = tools.map((tool) => tool.function.parameters);
    expect(tools.map(namesOf)).toEqual(['a,c', 'b', 'd']);
    expect(parameters.map((it) => it?.required.join())).toEqual([
      'destination,p',
      'destination,q',
      undefined,
    ]);
    const p = { type: 'string', description: 'the p' };
    expect(parameters[0].properties).toEqual({
      destination: { type: 'string', enum: ['a', 'c'] },
      p,
    });
  });

  it('leave to the plan what cannot be an argument', () => {
    const [first, second] = destinationsOf(result);
    expect(first.variableExtractionPlan.schema.required).toEqual(['destination']);
    expect(second.variableExtractionPlan).toBeUndefined();
  });
});

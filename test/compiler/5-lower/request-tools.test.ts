import { describe, expect, it } from 'vitest';
import { anytime, compiled, findings, type Plan, request, setter } from '../build.js';

const tools = (plan: Plan) => compiled(plan).members.map((member) => member.tools);

describe('a request', () => {
  it('is a tool with everything that the source says of it', () => {
    const body = { type: 'object', properties: { z: { value: '{{now}}' }, a: { type: 'string' } } };
    const t = request({ name: 'Look', method: 'put', body, timeoutSeconds: 9 });
    const [[tool]] = tools({ nodes: { a: 'A', t }, edges: ['a > t'] }) as [[object]];
    expect(tool).toEqual({
      type: 'apiRequest',
      name: 'Look',
      url: 'https://api.example.com',
      method: 'PUT',
      headers: { Authorization: 'Bearer sample' },
      body: { properties: { a: { type: 'string' }, z: { value: '{{now}}' } }, type: 'object' },
      timeoutSeconds: 9,
    });
  });

  it('fills its response variables by aliases', () => {
    const responseVariables = [
      { name: 'due', path: '$.bill.due' },
      { name: 'first', path: 'list[0].id' },
    ];
    const plan: Plan = { nodes: { a: 'A', t: request({ responseVariables }) }, edges: ['a > t'] };
    expect(tools(plan)[0]![0]!['variableExtractionPlan']).toEqual({
      aliases: [
        { key: 'due', value: '{{ $.bill.due }}' },
        { key: 'first', value: '{{ $.list[0].id }}' },
      ],
    });
  });

  it('reads into a response that is a list', () => {
    const responseVariables = [{ name: 'first', path: '$[0].id' }];
    const plan: Plan = { nodes: { a: 'A', t: request({ responseVariables }) }, edges: ['a > t'] };
    expect(JSON.stringify(tools(plan))).toContain('{{ $[0].id }}');
  });

  it('is refused where a name cannot be the key of an alias, or a path is none', () => {
    const about = (fields: object): string[] =>
      findings({ nodes: { a: 'A', t: request({ responseVariables: [fields] }) } }).map(
        ({ code }) => code,
      );
    expect(about({ name: 'a'.repeat(40), path: 'a' })).not.toContain('data/alias-key');
    for (const name of ['a'.repeat(41), '_a', 'a-b']) {
      expect(about({ name, path: 'a' })).toContain('data/alias-key');
    }
    expect(about({ name: 'a', path: 'a | upcase }}{{ b' })).toContain('shape/response-path');
  });

  it('is on every assistant that calls it, and on no other', () => {
    const plan: Plan = {
      nodes: { a: 'A', b: 'B', c: 'C', t: setter('x'), d: 'D {{x}}', e: 'E' },
      edges: ['a > b: 1', 'a > c: 2', 'a > d: 3', 'a > e: 4', 'b > t', 'c > t', 't > d'],
    };
    const { members } = compiled(plan);
    const named = members.map(({ name, tools: all }) => [
      name,
      all.filter((it) => it.type === 'apiRequest').length,
    ]);
    expect(named).toEqual([
      ['a', 0],
      ['b', 1],
      ['c', 1],
      ['d', 0],
      ['e', 0],
    ]);
  });

  it('says when it is to be called where that can be at any time', () => {
    const plan: Plan = { nodes: { a: 'A', t: { ...anytime('asks for {{now}}'), ...request() } } };
    expect(tools(plan)[0]![0]).toMatchObject({ name: 't', description: 'asks for {{now}}' });
  });
});

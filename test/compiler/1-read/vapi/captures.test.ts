import { describe, expect, it } from 'vitest';
import { readNode, readNodes } from './read.js';

const day = { type: 'string', description: 'the day' };

describe('what a node finds out', () => {
  it.each([
    [
      'an output list',
      { variableExtractionPlan: { output: [{ title: 'day', ...day, enum: [] }] } },
    ],
    ['a schema', { variableExtractionPlan: { schema: { type: 'object', properties: { day } } } }],
    ['a list of variables', { extractVariables: [{ name: 'day', ...day }] }],
    ['variables by name', { extractVariables: { day } }],
    ['its other spelling', { extract_variables: [{ name: 'day', ...day }] }],
    ['the output of a gather', { type: 'gather', output: { type: 'object', properties: { day } } }],
    ['the list of a gather', { type: 'Gather', output: [{ title: 'day', ...day }] }],
  ])('is read from %s', (_, node) => {
    const { captures } = readNode(node);
    expect(captures).toMatchObject([{ name: 'day', type: 'string', enum: null, details: null }]);
    expect(captures[0]?.description?.value).toBe('the day');
  });

  it('keeps places of names that are values, and has none for names that are keys', () => {
    const listed = readNode({ variableExtractionPlan: { output: [{ title: 'day', ...day }] } });
    expect(listed.captures[0]?.places?.name).toBe('/nodes/0/variableExtractionPlan/output/0/title');
    const keyed = readNode({ extractVariables: { day } });
    expect(keyed.captures[0]).toMatchObject({ at: '/nodes/0/extractVariables/day' });
    expect(keyed.captures[0]?.places?.name).toBeNull();
  });

  it.each([
    ['Integer', 'integer'],
    [['number', 'null'], 'number'],
    [['null', 'boolean'], 'boolean'],
    [null, 'string'],
  ])('takes %j for the type %s', (type, expected) => {
    expect(readNode({ extractVariables: { x: { type } } }).captures[0]?.type).toBe(expected);
  });

  it('keeps what a schema says beyond type and choices', () => {
    const guests = { type: 'array', items: { type: 'string' }, description: 'who comes' };
    const mail = { type: 'string', format: 'email' };
    const { captures } = readNode({ extractVariables: { guests, mail } });
    expect(captures.map(({ details }) => details?.value)).toEqual([
      { items: { type: 'string' } },
      { format: 'email' },
    ]);
  });

  it('knows what the caller of a gather may choose from', () => {
    const { captures } = readNode({ type: 'Gather', options: ['tea', 'coffee'] });
    expect(captures).toMatchObject([{ name: 'input', type: 'string', enum: ['tea', 'coffee'] }]);
  });

  it('lists variables by name in one order, whatever the order of the keys', () => {
    const names = (extractVariables: object) =>
      readNode({ extractVariables }).captures.map(({ name }) => name);
    expect(names({ b: day, a: day })).toEqual(['a', 'b']);
    expect(names({ a: day, b: day })).toEqual(['a', 'b']);
  });

  it('tells all that is wrong, and what it does not understand', () => {
    const node = (fields: object) =>
      readNodes([{ name: 'n', type: 'conversation', ...fields }]).told;
    expect(node({ extractVariables: { x: { type: 'date' } } })).toEqual([
      'shape/unknown-variable-type /nodes/0/extractVariables/x/type',
    ]);
    expect(node({ variableExtractionPlan: { output: [{ type: 'string' }] } })[0]).toBe(
      'shape/missing-field /nodes/0/variableExtractionPlan/output/0',
    );
    expect(node({ extractVariables: { 'a}b': day } })).toEqual([
      'shape/unsafe-name /nodes/0/extractVariables/a}b',
    ]);
    expect(node({ extractVariables: { x: { ...day, minimum: 3 } } })).toEqual([
      'shape/unknown-field /nodes/0/extractVariables/x/minimum',
    ]);
  });
});

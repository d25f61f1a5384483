/** Rewritten workflows look like the platform's documents, keep every text, and are detected as such. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/index.js';
import {
  asRead,
  type DialectName,
  dialects,
  neverThrows,
  rewriteAs,
  type SpecNode,
  workflowArbitrary,
} from '../../src/testing.js';
import { valueAt } from '../json.js';
import { runs, seed } from '../seed.js';
import { textsOf, worked } from './graphs.js';

describe('rewriteAs writes', () => {
  it.each<readonly [DialectName, string, object]>([
    ['export', '/nodes/0', { name: 'greet', isStart: true, prompt: 'Greet the caller.' }],
    ['export', '/nodes/1/variableExtractionPlan/output/0', { title: 'topic', enum: ['a', 'b'] }],
    ['export', '/nodes/1/variableExtractionPlan/output/1', { enum: [] }],
    ['export', '/nodes/4', { type: 'tool', tool: { type: 'endCall' } }],
    ['export', '/edges/1/condition', { type: 'ai', prompt: 'the topic is billing' }],
    ['schema', '/nodes/1/variableExtractionPlan/schema/properties/topic', { enum: ['a', 'b'] }],
    ['response', '/nodes/0', { id: 'greet', name: 'greet' }],
    ['response', '/edges/0', { source: 'greet', target: 'collect' }],
    ['tasks', '/nodes/0', { id: 'start', type: 'start' }],
    ['tasks', '/edges/0', { from: 'start', to: 'greet' }],
    ['tasks', '/nodes/2', { id: 'collect', type: 'gather', output: { type: 'object' } }],
    ['tasks', '/nodes/3', { type: 'say' }],
  ])('%s at %s', (dialect, at, expected) => {
    const document = rewriteAs(worked(), dialect);
    expect(valueAt(document, at)).toMatchObject(expected);
    expect(compile(document).diagnostics.map(({ code }) => code)).toContain('shape/dialect');
  });

  it('one key per node, and captures in order, with or without a wrapper', () => {
    expect(rewriteAs(worked(), 'export')).not.toHaveProperty('nodes.0.id');
    const captures = asRead(worked(), 'schema').nodes[1]?.extractVariables;
    expect(captures?.map(({ name }) => name)).toEqual(['account', 'topic']);
    const boxed = { workflow: rewriteAs(worked(), 'tasks', [3]) };
    expect(rewriteAs(worked(), 'wrapped', [3])).toEqual(boxed);
  });

  it('an expression with a mark, unless it is obvious or reads like a sentence', () => {
    const marked = (condition: string): boolean => {
      const workflow = { ...worked(), edges: [{ from: 'greet', to: 'collect', condition }] };
      return JSON.stringify(rewriteAs(workflow, 'export', [1])).includes('"logic"');
    };
    const conditions = [" tier == 'gold'\n", "{% if a == 'b' %}x{% endif %}", "the a == 'b' fits"];
    expect(conditions.map(marked)).toEqual([true, true, false]);
  });

  it.each([
    [['Desk', 'Desk', 'Bills'], 'n0 n1 Bills'],
    [['__proto__', 'caf\u00e9', 'cafe\u0301'], 'n0 n1 n2'],
  ])('ids if names are not unique: %j', (names, keys) => {
    const nodes = names.map((name, at): SpecNode => ({ id: `n${at}`, type: 'conversation', name }));
    const read = asRead({ nodes, edges: [] }, 'export').nodes;
    expect(read.map(({ id }) => id).join(' ')).toBe(keys);
  });

  it('every text, without changing the workflow, and compile never throws', () => {
    const workflows = fc.oneof(workflowArbitrary(), workflowArbitrary({ hostile: true }));
    const numbers = fc.array(fc.nat(99), { maxLength: 8 });
    const dialect = fc.constantFrom(...dialects);
    const property = fc.property(workflows, numbers, dialect, (workflow, choices, name) => {
      const before = JSON.stringify(workflow);
      const document = rewriteAs(workflow, name, choices);
      expect(JSON.stringify(workflow)).toBe(before);
      const written = new Set<unknown>();
      JSON.stringify(document, (_, value) => written.add(value) && value);
      expect(textsOf(workflow).filter((text) => text.trim() && !written.has(text))).toEqual([]);
      for (const target of ['squad', 'vapi'] as const) neverThrows(document, { target });
    });
    fc.assert(property, { seed, numRuns: runs(100) });
  });
});

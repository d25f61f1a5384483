import { describe, expect, it } from 'vitest';
import { subjectOf } from '../../src/batch/settle.js';
import { compile, type Question } from '../../src/index.js';
import { exampleQuestion } from '../cli/stub-api.js';

const transfer = { id: 'transfer', type: 'transferCall', firstMessage: 'One moment.' };

/** The subject of a question about the first node of a workflow. */
function subjectIn(nodes: readonly unknown[], parts: Partial<Question> = {}): string {
  return subjectOf(exampleQuestion(parts), { nodes });
}

describe('subjectOf', () => {
  it('is 16 hexadecimal digits', () => {
    expect(subjectIn([transfer])).toMatch(/^[0-9a-f]{16}$/);
  });

  it('stays when the node moves, or its keys do', () => {
    const [id, type, message] = Object.entries(transfer);
    const turned = Object.fromEntries([message, type, id] as [string, unknown][]);
    expect(subjectIn([turned])).toBe(subjectIn([transfer]));
    expect(subjectIn([{}, transfer], { at: ['/nodes/1'] })).toBe(subjectIn([transfer]));
  });

  it.each<[string, string]>([
    ['the node', subjectIn([{ ...transfer, firstMessage: 'Wait.' }])],
    ['the id', subjectIn([transfer], { id: 'missing-destination:other' })],
    ['the kind', subjectIn([transfer], { kind: 'missing-auth' })],
    ['the text', subjectIn([transfer], { text: 'Where to?' })],
    ['the choices', subjectIn([transfer], { choices: [] })],
    ['the place', subjectIn([transfer], { at: ['/nodes/0/id'] })],
    ['the value, to nothing', subjectIn([])],
  ])('changes with %s', (_, changed) => expect(changed).not.toBe(subjectIn([transfer])));

  it('tells null from nothing', () => {
    expect(subjectIn([null])).not.toBe(subjectIn([]));
  });

  it('follows pointers with escapes, and none into what every object has', () => {
    const at = (pointer: string, document: unknown) =>
      subjectOf(exampleQuestion({ at: [pointer] }), document);
    expect(at('/a~1b/~0', { 'a/b': { '~': 1 } })).toBe(at('/x', { x: 1 }));
    expect(at('/__proto__', {})).toBe(at('/missing', {}));
    expect(at('/constructor/name', {})).toBe(at('/missing', {}));
    expect(at('/__proto__', JSON.parse('{"__proto__": 1}'))).toBe(at('/x', { x: 1 }));
  });

  it('is that of a question that was really asked', () => {
    const workflow = { nodes: [{ id: 'a', type: 'transferCall' }], edges: [] };
    const subjects = (document: object) =>
      compile(document).questions.map((question) => subjectOf(question, document));
    const first = subjects({
      nodes: [{ id: 'hello', type: 'conversation', systemPrompt: 'Hi.' }, ...workflow.nodes],
      edges: [{ from: 'hello', to: 'a' }],
    });
    expect(first).toHaveLength(1);
    const renamed = subjects({
      name: 'Renamed',
      nodes: [{ id: 'hello', type: 'conversation', systemPrompt: 'Hello!' }, ...workflow.nodes],
      edges: [{ from: 'hello', to: 'a' }],
    });
    expect(renamed).toEqual(first);
  });
});

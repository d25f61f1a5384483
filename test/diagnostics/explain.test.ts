import { describe, expect, it } from 'vitest';
import { catalogue } from '../../src/diagnostics/catalogue.js';
import { codes, explain } from '../../src/diagnostics/explain.js';
import { questionKinds } from '../../src/diagnostics/questions.js';

describe('explain', () => {
  it('covers every code and every kind of question', () => {
    expect(codes()).toEqual([...Object.keys(catalogue), ...questionKinds()].sort());
    for (const code of codes()) expect(explain(code)).toMatchObject({ code });
  });

  it('explains a diagnostic with its severity and an example', () => {
    expect(explain('shape/duplicate-id')).toEqual({
      code: 'shape/duplicate-id',
      kind: 'diagnostic',
      severity: 'error',
      title: 'Two nodes have the same id',
      why: catalogue['shape/duplicate-id'].why,
      help: 'Rename one of the nodes and correct the edges that mean it.',
      example: 'The id “greeting” is used by more than one node.',
    });
  });

  it('explains a question with the choices of every target', () => {
    const explained = explain('logical-condition');
    expect(explained).toMatchObject({ kind: 'question', example: expect.stringContaining('gold') });
    expect(explained?.choices?.map(({ key }) => key)).toEqual([
      'extract',
      'tool',
      'guard',
      'prose',
    ]);
    expect(explained).not.toHaveProperty('severity');
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', '', 'shape', 'shape/'])(
    'knows nothing of %j',
    (word) => {
      expect(explain(word)).toBeNull();
    },
  );
});

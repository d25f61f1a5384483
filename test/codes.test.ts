/**
 * Every code and every kind of question is provoked by a golden case or by an input below; those of
 * a run over many workflows, in test/batch/codes.test.ts; those of tools of operations, which no
 * workflow has before they are bound, in test/adapters/tools/bind-operations.test.ts.
 */
import { describe, expect, it } from 'vitest';
import { codes, compile, verify } from '../src/index.js';
import { listFolders, readCase } from './golden/cases.js';
import { provocations } from './golden/provocations.js';

describe.each(Object.entries(provocations))('%s', (code, provoke) => {
  it('is found, at a place that is not too long to read', () => {
    const { workflow, options, squad } = provoke();
    const { diagnostics } =
      squad === undefined ? compile(workflow, options) : verify(workflow, squad, options);
    expect(diagnostics.map((found) => found.code)).toContain(code);
    for (const { at, message } of diagnostics) {
      expect(at.length).toBeLessThan(1000);
      expect(message.length).toBeLessThan(1000);
    }
  });

  it('is a code of the catalogue', () => expect(codes()).toContain(code));
});

describe('codes', () => {
  const provoked = new Set([...codesOfGoldens(), ...Object.keys(provocations)]);

  const ofWorkflows = codes().filter((code) => !/^(?:batch|tools)\//.test(code));

  it.each(ofWorkflows)('%s is provoked', (code) => expect([...provoked]).toContain(code));
});

/** The codes and kinds that the golden cases come to, as the compiler finds them now. */
function codesOfGoldens(): string[] {
  return listFolders().flatMap((name) => {
    const golden = readCase(name);
    if (golden === null) return [];
    const { reading, options } = golden;
    const read = reading.diagnostics.map(({ code }) => code);
    if (read.length > 0) return read;
    const { questions, diagnostics } = compile(reading.workflow, options);
    return [...diagnostics.map(({ code }) => code), ...questions.map(({ kind }) => kind)];
  });
}

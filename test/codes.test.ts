/**
 * Every code and every kind of question is provoked by a golden case or by an input of its own. Codes
 * of a run over many workflows are provoked in test/batch/run.test.ts, codes of bound tools in
 * test/adapters/tools/bind.test.ts.
 */
import { expect, it } from 'vitest';
import { codes, compile, verify } from '../src/index.js';
import { listFolders, readCase } from './golden/cases.js';
import { provocations } from './golden/provocations.js';

it.each(Object.entries(provocations))(
  '%s is reported in complete sentences, at a short place',
  (code, provoke) => {
    const { workflow, options, squad } = provoke();
    const { diagnostics } =
      squad === undefined ? compile(workflow, options) : verify(workflow, squad, options);
    expect(diagnostics.map((found) => found.code)).toContain(code);
    for (const { at, message, help } of diagnostics) {
      for (const text of [message, help]) expect(text).toMatch(/^[A-Z“{<][^\n]*\.$/u);
      expect(`${message} ${help}`).not.toMatch(/undefined(?!-)|\[object|NaN|\bnull\b|must NOT/);
      expect(Math.max(at.length, message.length)).toBeLessThan(1000);
    }
  },
);

it('the tests provoke exactly the codes of the catalogue', () => {
  const provoked = new Set(Object.keys(provocations));
  for (const name of listFolders()) {
    const { reading, options } = readCase(name) ?? expect.fail(name);
    const { questions, diagnostics } = compile(reading.workflow, options);
    for (const { code } of [...reading.diagnostics, ...diagnostics]) provoked.add(code);
    for (const { kind } of questions) provoked.add(kind);
  }
  const ofWorkflows = codes().filter((code) => !/^(?:batch|tools)\//.test(code));
  expect([...provoked].sort()).toEqual(ofWorkflows.sort());
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../src/compiler/compile.js';
import { locate, readWorkflow } from '../../src/compiler/read-workflow.js';
import { runs, seed } from '../seed.js';
import { workflow } from './build.js';

describe('readWorkflow', () => {
  it('reads JSON, with a byte order mark or without', () => {
    const document = workflow({ nodes: { a: 'A' } });
    const text = JSON.stringify(document, null, 2);
    expect(readWorkflow(text)).toEqual({ workflow: document, dialect: 'spec', diagnostics: [] });
    expect(readWorkflow(`\ufeff${text}`).workflow).toEqual(document);
  });

  it('tells the dialect', () => {
    expect(readWorkflow('{"nodes":[{"name":"a","prompt":"A"}]}').dialect).toBe('vapi');
    expect(readWorkflow('[]').dialect).toBe('spec');
    expect(readWorkflow('7').workflow).toBe(7);
  });

  it('places a syntax fault by line and column', () => {
    const { workflow: value, diagnostics } = readWorkflow('{\n  "name": "x",\n  nodes\n}');
    expect(diagnostics).toMatchObject([{ code: 'shape/not-json', line: 3, column: 3 }]);
    expect(value === null || typeof value === 'object').toBe(true);
    expect(readWorkflow('').diagnostics).toMatchObject([{ code: 'shape/not-json', line: 1 }]);
  });

  it('calls duplicate keys errors, with their place', () => {
    const { diagnostics } = readWorkflow('{ "name": "x",\n "name": "y" }');
    expect(diagnostics).toMatchObject([
      { code: 'shape/duplicate-key', severity: 'error', at: '/name', line: 2, column: 2 },
    ]);
  });

  it('stops at a depth that nobody writes by hand', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(readWorkflow(deep).diagnostics).toMatchObject([{ code: 'shape/too-deep' }]);
  });

  it('keeps places for what `compile` finds', () => {
    const text = '{ "name": "x",\n  "nodes": [{ "id": "a", "type": "menu" }],\n  "edges": [] }';
    const { workflow: value } = readWorkflow(text);
    const [fault] = compile(value).diagnostics;
    expect(locate(text, fault!.at)).toMatchObject({ line: 2, column: 34 });
  });

  it('keeps reserved keys where `compile` can refuse them', () => {
    const { workflow: value } = readWorkflow('{"__proto__": {"polluted": true}, "nodes": []}');
    expect(compile(value).diagnostics[0]).toMatchObject({ code: 'shape/reserved-name' });
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('reads what JSON.parse reads, and never throws', () => {
    const text = fc.oneof(
      fc.json(),
      fc.string(),
      fc.json().map((json) => json.slice(1)),
    );
    fc.assert(
      fc.property(text, (json) => {
        const { workflow: value, diagnostics } = readWorkflow(json);
        const known = parse(json);
        if (diagnostics.length === 0) expect(value).toEqual(known.value);
        else expect(known.ok && !/[{]/.test(json)).toBe(false);
      }),
      { seed, numRuns: runs(500) },
    );
  });
});

function parse(json: string): { ok: boolean; value: unknown } {
  try {
    return { ok: true, value: JSON.parse(json) as unknown };
  } catch {
    return { ok: false, value: null };
  }
}

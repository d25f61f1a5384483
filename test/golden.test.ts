/**
 * Golden cases: golden/<case>/ contains a workflow and the expected result.
 *
 * `npm run golden:update` rewrites the expected files. An expectation is a claim that the output is
 * correct: review the difference before committing it.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CompileResult, compile } from '../src/index.js';
import { rearrange, type SpecWorkflow } from '../src/testing.js';
import { expectedFiles, listFolders, listStrayFiles, readCase } from './golden/cases.js';
import { compareFiles, wantsUpdate, writeFiles } from './golden/compare.js';
import { schemaFaults, valueAt } from './json.js';
import { runs, seed } from './seed.js';

const update = wantsUpdate(process.env);

describe.each(listFolders())('golden/%s', (name) => {
  const golden = readCase(name) ?? expect.fail('the folder has neither input.json nor input.txt');
  const { reading, options } = golden;
  const { files, result } = expectedFiles(golden);

  it('gives the expected result', () => {
    const folder = `${golden.folder}/expected`;
    if (update) writeFiles(folder, files);
    compareFiles(folder, files);
  });

  it('is one small input', () => {
    expect(listStrayFiles(name)).toEqual([]);
    expect(reading.diagnostics.length > 0).toBe(golden.input === 'input.txt');
    expect(golden.lines).toBeLessThan(60);
  });

  if (result === undefined) return;
  const { workflow } = reading;

  it('has the published shape, and every item of the checklist holds', () => {
    if (result.output === null) return;
    const schema = 'squad' in result.output ? 'squad' : 'vapi-squad';
    // Settings that are passed through can violate the schema, with a warning.
    const isWarned = result.diagnostics.some(({ code }) => code === 'check/setting-unknown');
    const open = result.checklist.flatMap(({ item, holds }) => (holds ? [] : item));
    expect(open).toEqual(isWarned && schema === 'vapi-squad' ? [8] : []);
    if (!isWarned) expect(schemaFaults(schema, result.output)).toEqual([]);
  });

  it('refers to existing places only', () =>
    expect(lostPlaces(workflow, options, result)).toEqual([]));

  it('gives the same bytes again, even for frozen input', () => {
    const again = compile(deepFreeze(workflow), deepFreeze(options));
    expect(JSON.stringify(again)).toBe(JSON.stringify(result));
  });

  it('does not depend on the order of nodes, of edges that leave different nodes, or of keys', () => {
    const isSpec = schemaFaults('workflow', workflow).length === 0;
    const expected = essence(result);
    const property = fc.property(fc.array(fc.nat(), { maxLength: 40 }), (numbers) => {
      const moved = isSpec ? rearrange(workflow as SpecWorkflow, numbers) : turnKeys(workflow);
      expect(essence(compile(moved, options))).toEqual(expected);
    });
    fc.assert(property, { seed, numRuns: isSpec ? runs(6) : 1 });
  });
});

it('golden cases are not updated in CI', () => {
  expect(wantsUpdate({ UPDATE_GOLDENS: '1' })).toBe(true);
  expect(wantsUpdate({ UPDATE_GOLDENS: '0', CI: 'true' })).toBe(false);
  expect(() => wantsUpdate({ UPDATE_GOLDENS: '1', CI: 'true' })).toThrow(/refused in CI/);
});

function essence({ output, draft, questions, diagnostics }: CompileResult): object {
  return {
    output: JSON.stringify(output),
    draft: JSON.stringify(draft),
    questions: questions.map(({ id }) => id),
    codes: diagnostics.map(({ code }) => code).sort(),
  };
}

/** Places in a result that do not exist, and quotations that are not in the source. */
function lostPlaces(workflow: unknown, options: object, result: CompileResult): string[] {
  const { ledger, sourceMap, questions, diagnostics, output, draft } = result;
  const squad = output ?? draft;
  const answers = 'answers' in options ? options.answers : {};
  const documents = { workflow, options, answers, squad: output };
  const lost: string[] = [];
  const demand = (what: string, document: unknown, places: readonly string[]): void => {
    const gone = places.filter((at) => valueAt(document, at) === undefined);
    lost.push(...gone.map((at) => `${what}: ${at}`));
  };
  for (const { at, outputs } of ledger) {
    demand('the ledger', workflow, [at]);
    demand(`what became of ${at}`, squad, outputs);
  }
  for (const { output: at, range, origin } of sourceMap) {
    demand('the source map', squad, [at]);
    if (origin.kind === 'synthesized') demand(`the origin of ${at}`, workflow, origin.from);
    if (origin.kind !== 'source') continue;
    const value = valueAt(squad, at);
    const part = range === undefined ? value : String(value).slice(...range);
    const text = valueAt(workflow, origin.at);
    // Raw tags around a part of a text split it into pieces.
    const isPiece =
      typeof text === 'string' &&
      String(value).includes('{% raw %}') &&
      text.includes(String(part));
    if (!isPiece && JSON.stringify(part) !== JSON.stringify(text))
      lost.push(`the quotation at ${at}`);
  }
  for (const { id, at } of questions) demand(id, workflow, at);
  for (const { code, at, related, in: document = 'workflow' } of diagnostics) {
    demand(code, documents[document], [at, ...related]);
  }
  return lost;
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const each of Object.values(value)) deepFreeze(each);
  return Object.freeze(value);
}

function turnKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnKeys);
  if (typeof value !== 'object' || value === null) return value;
  const turned = Object.entries(value).reverse();
  return Object.fromEntries(turned.map(([key, each]) => [key, turnKeys(each)]));
}

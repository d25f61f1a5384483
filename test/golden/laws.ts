/** What holds for every case, whatever is expected of it. */
import { expect } from 'vitest';
import { type CompileResult, compile, type Json } from '../../src/index.js';
import {
  validateSquad,
  validateVapiSquad,
  validateWorkflow,
} from '../../src/schemas/validators.generated.js';
import { valueAt } from '../../src/simulator/squad.js';
import { rearrange } from '../../src/testing/rearrange.js';
import type { SpecWorkflow } from '../../src/testing.js';
import type { GoldenCase } from './cases.js';

/** The input and the options may be frozen, and stay what they were. */
export function keepsItsInput({ reading, options }: GoldenCase): void {
  const given = { workflow: reading.workflow, options };
  const before = structuredClone(given);
  compile(deepFreeze(reading.workflow), deepFreeze(options));
  expect(given).toEqual(before);
}

/** Twice the same source and answers, twice the same bytes. */
export function isDeterministic({ reading, options }: GoldenCase): void {
  const once = JSON.stringify(compile(reading.workflow, options));
  expect(JSON.stringify(compile(reading.workflow, options))).toBe(once);
}

/** A complete squad has the published shape, and every item of the checklist holds. */
export function isValid({ options }: GoldenCase, { output, checklist }: CompileResult): void {
  if (output === null) return;
  const validate = options.target === 'vapi' ? validateVapiSquad : validateSquad;
  validate(output);
  expect(validate.errors ?? []).toEqual([]);
  expect(checklist.filter(({ holds }) => !holds)).toEqual([]);
}

/** The order of nodes, of edges out of different nodes and of keys decides nothing. */
export function ignoresOrder({ reading, options }: GoldenCase, numbers: readonly number[]): void {
  const { workflow } = reading;
  const moved = validateWorkflow(workflow)
    ? rearrange(workflow as SpecWorkflow, numbers)
    : turnKeys(workflow);
  expect(essence(compile(moved, options))).toEqual(essence(compile(workflow, options)));
}

function essence({ output, draft, questions, diagnostics }: CompileResult): object {
  return {
    output: JSON.stringify(output),
    draft: JSON.stringify(draft),
    questions: questions.map(({ id }) => id),
    codes: diagnostics.map(({ code }) => code).sort(),
  };
}

/** The ledger and the source map name places that are there, and quotations are quotations. */
export function namesRealPlaces({ reading }: GoldenCase, result: CompileResult): void {
  const source = reading.workflow as Json;
  const document = (result.output ?? result.draft) as Json;
  const isThere = (root: Json, at: string): boolean => valueAt(root, at) !== undefined;
  for (const { at, outputs } of result.ledger) {
    expect(isThere(source, at), `the ledger's ${at}`).toBe(true);
    expect(outputs.filter((it) => !isThere(document, it))).toEqual([]);
  }
  for (const { output, range, origin } of result.sourceMap) {
    const value = valueAt(document, output);
    expect(value, `the source map's ${output}`).toBeDefined();
    if (origin.kind === 'synthesized') {
      expect(origin.from.filter((it) => !isThere(source, it))).toEqual([]);
    } else if (origin.kind === 'source') {
      const part = range === undefined ? value : String(value).slice(...range);
      expect(part, `the quotation at ${output}`).toEqual(valueAt(source, origin.at));
    }
  }
}

/** Questions and diagnostics point into the document that they speak of. */
export function pointsAtItsInput({ reading, options }: GoldenCase, result: CompileResult): void {
  const documents = {
    workflow: reading.workflow,
    options,
    answers: options.answers ?? {},
    squad: result.output,
  };
  for (const question of result.questions) {
    const lost = question.at.filter((it) => valueAt(reading.workflow as Json, it) === undefined);
    expect(lost, question.id).toEqual([]);
  }
  for (const { code, at, related, in: document = 'workflow' } of result.diagnostics) {
    const root = documents[document] as Json;
    const lost = [at, ...related].filter((it) => valueAt(root, it) === undefined);
    expect(lost, code).toEqual([]);
  }
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) deepFreeze(each);
  }
  return value;
}

function turnKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turnKeys);
  if (typeof value !== 'object' || value === null) return value;
  const turned = Object.entries(value).reverse();
  return Object.fromEntries(turned.map(([key, each]) => [key, turnKeys(each)]));
}

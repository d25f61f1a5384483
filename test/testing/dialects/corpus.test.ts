/**
 * Rewritten workflows beside those that teams have, which are not part of the project: where
 * SQUADC_CORPUS names a folder of them, the rewriters must know every field that these use.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DialectName, rewriteAs } from '../../../src/testing/index.js';
import { clinic } from './clinic.js';

const folder = process.env.SQUADC_CORPUS;
const documents =
  folder === undefined
    ? []
    : readdirSync(folder)
        .filter((file) => file.endsWith('.json'))
        .map((file) => ({ file, document: JSON.parse(readFileSync(join(folder, file), 'utf8')) }));

const exports = documents.filter(({ document }) =>
  document.nodes?.some((node: object) => 'prompt' in node),
);
const tasks = documents.filter(({ document }) =>
  document.nodes?.some(({ type }: { type: string }) => type === 'Say'),
);

/** Fields of settings, which rewriting leaves as they are, and what only an early sketch has. */
const elsewhere =
  /^(?:model|voice|transcriber|globalPrompt|language|provider|voiceId|text|options)$/;

describe.skipIf(documents.length === 0)('fields of real workflows (SQUADC_CORPUS)', () => {
  it('are there in every dialect that is looked for', () => {
    expect([exports.length > 0, tasks.length > 0]).toEqual([true, true]);
  });

  it.each(exports)('$file has those of an export', ({ document }) => {
    expect(fieldsOf(document).filter((it) => !known(['export', 'schema']).has(it))).toEqual([]);
  });

  it.each(tasks)('$file has those of older tasks', ({ document }) => {
    expect(fieldsOf(document).filter((it) => !known(['tasks']).has(it))).toEqual([]);
  });
});

it.runIf(documents.length === 0)(
  'real workflows are skipped: SQUADC_CORPUS names no folder',
  () => {
    expect(documents).toEqual([]);
  },
);

function known(dialects: readonly DialectName[]): ReadonlySet<string> {
  return new Set(dialects.flatMap((dialect) => fieldsOf(rewriteAs(clinic, dialect))));
}

/** Names of the fields, but for those of variables and headers, which are names of their own. */
function fieldsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(fieldsOf);
  return Object.entries(value).flatMap(([key, part]) => {
    if (elsewhere.test(key)) return [];
    return key === 'properties'
      ? [key, ...Object.values(part).flatMap(fieldsOf)]
      : [key, ...fieldsOf(part)];
  });
}

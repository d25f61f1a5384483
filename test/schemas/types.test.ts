/**
 * The compiler's types and the published schemas agree: types are generated from the schemas, and a
 * program that compares them with those of `ir/` must compile.
 */
import { join, resolve } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../src/text/json.js';
import { schemaDocuments } from '../json.js';

const root = resolve(import.meta.dirname, '../..');
const virtual = join(root, 'test', 'schemas', 'agreement.virtual.ts');

/** A type as JSON: not readonly, any JSON is unknown, every object is open. */
const views = `
import type { Json, JsonObject } from '../../src/text/json.js';
import type { Answers } from '../../src/compiler/ir/options.js';
import type { CompileResult as Compiled } from '../../src/compiler/ir/result.js';

/** With the additions of the command line, which binds operations before compiling. */
interface CompileResult extends Compiled {
  readonly toolBindings?: Record<string, { operation: string; bind: JsonObject }>;
}

type View<T> = unknown extends T ? unknown : [Json] extends [T] ? unknown : Each<T>;
type Each<T> = T extends string | number | boolean | null | undefined ? T
  : T extends JsonObject ? (JsonObject extends T ? { [key: string]: unknown } : Members<T>)
  : Members<T>;
type Members<T> = { -readonly [K in keyof T]: View<T[K]> };
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
`;

/** One assertion per type, so that a failure names the type. */
const assertions = `
export const answers: Same<View<Answers>, View<AnswersFile>> = true;
type Part<K extends keyof CompileResult & keyof ResultFile> =
  Same<View<CompileResult[K]>, View<ResultFile[K]>>;
export const keys: Same<keyof CompileResult, keyof ResultFile> = true;
export const parts: { [K in keyof CompileResult & keyof ResultFile]: Part<K> } = {
  status: true, output: true, draft: true, questions: true, diagnostics: true,
  checklist: true, reads: true, sourceMap: true, ledger: true, stats: true, toolBindings: true,
};
`;

async function typesOf(document: JsonObject, name: string): Promise<string> {
  const { title: _, $id: __, ...schema } = older(document) as JsonObject;
  const options = { bannerComment: '', format: false, unreachableDefinitions: false };
  return compile(structuredClone(schema) as never, name, options);
}

/**
 * The schema in an older draft, which the generator reads: tuples are `items`. Types do not express
 * that a list must not be empty.
 */
function older(value: Json): Json {
  if (Array.isArray(value)) return value.map(older);
  if (!isObject(value)) return value;
  // What depends on a condition is one or the other.
  if ('if' in value) return older({ anyOf: [value.then!, value.else!] });
  if (isAnything(value)) return { ...value, tsType: 'unknown' };
  const { prefixItems: items, minItems: _, ...rest } = value;
  const size = Array.isArray(items) ? items.length : 0;
  const tuple = items === undefined ? {} : { items, minItems: size, maxItems: size };
  return Object.fromEntries(
    Object.entries({ ...rest, ...tuple }).map(([key, member]) => [key, older(member)]),
  );
}

/** A schema with only a description; the generator would consider it an object. */
function isAnything({ description, ...rest }: JsonObject): boolean {
  return typeof description === 'string' && Object.keys(rest).length === 0;
}

/** The errors of the TypeScript compiler for a virtual file. */
function complaints(source: string): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (file) => file === virtual || fileExists(file);
  host.readFile = (file) => (file === virtual ? source : readFile(file));
  host.getSourceFile = (file, language, ...rest) =>
    file === virtual
      ? ts.createSourceFile(file, source, language)
      : getSourceFile.call(host, file, language, ...rest);
  const program = ts.createProgram([virtual], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, start = 0, length = 0 }) => {
    const words = ts.flattenDiagnosticMessageText(messageText, '\n');
    return `${source.slice(start, start + length)}: ${words}`;
  });
}

async function agreement(change: (types: string) => string = (types) => types): Promise<string[]> {
  const { answers = {}, result = {} } = schemaDocuments;
  const types = [await typesOf(answers, 'AnswersFile'), await typesOf(result, 'ResultFile')];
  return complaints([views, change(types.join('\n')), assertions].join('\n'));
}

describe('types and schemas', () => {
  it('agree on answers and results', async () => {
    expect(await agreement()).toEqual([]);
  });

  it.each([
    ['an optional field of an answer', 'value?: unknown', 'values?: unknown', 'boolean'],
    ['whether a field is optional', 'waivedBy?: string', 'waivedBy: string', 'checklist'],
    ['one word of an enumeration', '"folded"', '"bent"', 'ledger'],
    ['the form of an origin', 'option: string', 'option: number', 'sourceMap'],
  ])('are found to differ in %s', async (_name, from, to) => {
    const found = await agreement((types) => {
      expect(types).toContain(from);
      return types.replace(from, to);
    });
    expect(found).not.toEqual([]);
  });
});

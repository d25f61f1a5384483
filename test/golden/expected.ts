/** What a case gives, as the files of its expected/ folder. */
import { emit } from '../../src/index.js';
import type { GoldenCase } from './cases.js';
import { findingsOf, findingsOfReading } from './findings.js';
import { renderPrompts } from './prompts.js';

/** Cases about the grouping show the regions too. */
const aboutGrouping = new Set([
  'global-tool',
  'branch-that-rejoins',
  'boundary-tools',
  'conflicting-settings-keep-split',
  'cycle-consolidated',
  'cycle-grouped',
  'cycle-kept-split',
  'diamond-of-tools',
  'equal-stages',
  'global-conversation',
  'ivr-tree',
  'plain-chain',
  'retry-round-a-tool',
  'tool-at-the-head-of-a-branch',
  'tool-at-the-start',
  'tool-only-start-with-two-ways',
  'worked-pattern',
]);

/** File name → content. */
export type Files = ReadonlyMap<string, string>;

/** Compiles a case; text that cannot be read has findings only. */
export function expectedFiles({ name, reading, options }: GoldenCase): Files {
  if (reading.diagnostics.length > 0) {
    return new Map([['findings.json', pretty(findingsOfReading(reading))]]);
  }
  const { document: regions, result } = emit(reading.workflow, options, 'regions');
  const document = result.output ?? result.draft;
  return new Map([
    ['findings.json', pretty(findingsOf(result))],
    ...file('squad.json', result.output),
    ...file('draft.json', result.draft),
    ...(document === null ? [] : [['prompts.md', renderPrompts(document)] as const]),
    ...file('regions.json', aboutGrouping.has(name) ? regions : null),
  ]);
}

/** Names of the list above that no folder bears. */
export function listUnknownGroupings(folders: readonly string[]): string[] {
  return [...aboutGrouping].filter((name) => !folders.includes(name));
}

function file(name: string, value: object | null): (readonly [string, string])[] {
  return value === null ? [] : [[name, pretty(value)]];
}

/** JSON for the eye: what fits on a line stands on one. */
export function pretty(value: unknown, indent = ''): string {
  return `${layOut(value, indent)}\n`;
}

function layOut(value: unknown, indent: string): string {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
  if (typeof value !== 'object' || value === null || line.length + indent.length <= 90) return line;
  const deeper = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((each) => layOut(each, deeper))
    : Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${layOut(each, deeper)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`;
}

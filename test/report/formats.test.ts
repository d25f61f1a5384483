/** What is written of a run beside its pages: each format, what it must contain, and that texts stay texts. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRunAnswers } from '../../src/batch/answers.js';
import { codes, explain, locateAll, type Severity } from '../../src/index.js';
import type { AskedQuestion, WorkflowRow } from '../../src/report/model.js';
import { questionsMarkdown } from '../../src/report/questions-markdown.js';
import {
  findingsOf,
  mostResults,
  type SarifFinding,
  SarifResults,
} from '../../src/report/sarif.js';
import { writeSummaries } from '../../src/report/summaries.js';
import { cyclicQuestion, exampleQuestion } from '../cli/fake-io.js';
import { schemaFaults } from '../json.js';
import { skeleton } from '../scenarios/plans.js';
import { runs, seed } from '../seed.js';
import {
  exampleOf,
  expectFiles,
  goldenText,
  hostileText,
  hostileTexts,
  rowWith,
} from './example-run.js';

const finding = (given: Partial<SarifFinding> = {}): SarifFinding => ({
  ...{ code: 'flow/unreachable', severity: 'warning', message: 'No call can reach it.' },
  ...{ at: '/nodes/3', line: 12, column: 7 },
  ...given,
});

/** The files of a run with these rows, in the order in which they are written. */
async function summariesOf(
  given: readonly WorkflowRow[],
  findings: (row: WorkflowRow) => readonly SarifFinding[] = () => [],
  limit?: number,
) {
  const files: Record<string, string> = {};
  const rows = given.map(({ index, line, ...row }) => ({ index, line, ...row }));
  const options = { target: 'vapi', answers: { policies: { 'missing-auth': 'none' } } } as const;
  const results = new SarifResults(limit);
  for (const row of given) results.add(row, findings(row));
  await writeSummaries({ squadc: '1.2.3', options, rows, results }, (name, text) => {
    files[name] = text;
  });
  return files;
}

const work = (index: number, minutes: number, given: Partial<WorkflowRow> = {}) =>
  rowWith({
    ...{ index, name: `w${index}`, status: 'needs-answers', questions: { 'missing-auth': 1 } },
    assessment: { level: 'B', size: 1, minutes, automatic: 1, manual: 1 },
    ...given,
  });
const missing = { code: 'flow/missing-node', at: '/edges/0', message: 'no node `a`' };
const severities = ['error', 'warning', 'info'] as const;
const vanished = { code: 'batch/vanished', message: 'it is | gone' };
const invalid = { status: 'invalid', questions: {} } as const;
const sources = [
  ...['stdin', 'flows/été 1.json', 'a b/c#d?e.json', 'https://example.test/x.json', 'all.jsonl'],
  ...['../../etc/./passwd', 'back\\slash "quoted" (1)'],
];
const fleet = [
  rowWith({ name: 'fine' }),
  work(1, 10, { name: null, questions: { 'missing-auth': 2, 'cyclic-stages': 1 } }),
  work(2, 95),
  work(3, 10, { ...invalid, errors: 1234, firstError: missing }),
  work(4, 10, { status: 'failed', failure: vanished, questions: {}, line: 12 }),
  work(5, 5, { status: 'complete', questions: {}, warnings: 1 }),
  work(6, 5, { ...invalid, errors: 1, firstError: { ...missing, code: '=1', at: '' } }),
].map((row, index) => ({ ...row, source: sources[index]! }));
const stale = {
  ...finding({ code: 'api/stale-answer', at: '/answers/x' }),
  in: 'answers',
} as const;
/** Of every kind, and some alike. */
const found = findingsOf({
  failure: { code: 'batch/write-failed', message: 'The disk is full.' },
  diagnostics: [
    finding({ severity: 'info', code: 'shape/dialect', at: '' }),
    stale,
    ...[finding(), finding({ message: 'Other.', line: 99 }), finding({ at: '/nodes/4' })],
    finding({ severity: 'error', code: 'shape/no-nodes' }),
  ],
  questions: [{ id: 'missing-auth:a', kind: 'missing-auth', text: 'Which?', at: ['/nodes/1'] }],
});
const files = await summariesOf(fleet, ({ index }) => (index === 0 ? found : [finding()]));

/** A row for each text that tries to be more than a text. */
const hostile = hostileTexts.map((text, index) => {
  const firstError = { ...missing, message: text };
  return work(index, 5, { ...invalid, name: text, source: text, errors: 1, firstError });
});

describe('a summary', () => {
  it('is what is expected in each format but for the rules of SARIF, JSON last', () => {
    expect(Object.keys(files).join()).toBe('summary.csv,summary.md,summary.sarif,summary.json');
    const { 'summary.sarif': _, 'summary.csv': csv, ...others } = files;
    expectFiles('fleet', { ...others, 'summary.csv': csv!.replaceAll('\r\n', '␍\n') });
  });

  it('keeps every text in its cell, as text', async () => {
    const {
      'summary.csv': csv,
      'summary.md': md,
      'summary.json': json,
    } = await summariesOf(hostile);
    const summary = JSON.parse(json!);
    expect(summary.workflows).toEqual(hostile);
    expect(schemaFaults('run-summary', summary)).toEqual([]);
    expectFiles('hostile', { 'summary.csv': csv!.replaceAll('\r\n', '␍\n'), 'summary.md': md! });
  });

  it('lists in Markdown only so many, and says that there are more', async () => {
    const { 'summary.md': nothing } = await summariesOf([rowWith()]);
    expect(nothing).toMatch(/\n## What needs attention\n\nNothing.\n$/);
    const rows = Array.from({ length: 502 }, (_, index) => work(index, 5));
    expect((await summariesOf(rows.slice(0, 500)))['summary.md']).not.toContain('summary.csv');
    const md = (await summariesOf(rows))['summary.md']!;
    expect(md).toContain('These are the first 500 of 502; summary.csv has all.');
    expect(md.match(/^\| w\d+ \|/gm)).toHaveLength(500);
  });
});

describe('SARIF', () => {
  /** By the schema that Microsoft publishes (MIT); draft 7 reads it as draft 4 does. */
  const schemaFile = 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
  const { id: _, $schema, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
  ajv.addFormat('uri', (text: string) => URL.canParse(text));
  ajv.addFormat('uri-reference', /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-F]{2})*$/i);
  ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const validate = ajv.compile(schema);

  /** The one run of a valid file. */
  function runOf(text: string) {
    const log = JSON.parse(text);
    expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
    expect(log.runs).toHaveLength(1);
    return log.runs[0];
  }

  it('has every code and kind of question as a rule, and the findings that are expected', () => {
    const { tool, results, ...run } = runOf(files['summary.sarif']!);
    expect(tool.driver).toMatchObject({ name: 'squadc', version: '1.2.3' });
    expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(codes());
    for (const { id, shortDescription, help, defaultConfiguration } of tool.driver.rules) {
      expect([shortDescription.text, help.text]).not.toContain('');
      const severity = explain(id)?.severity ?? 'warning';
      expect(defaultConfiguration.level).toBe(severity === 'info' ? 'note' : severity);
    }
    expect(run.invocations).toEqual([{ executionSuccessful: true }]);
    expectFiles('sarif', { 'results.json': `${JSON.stringify(results, null, 2)}\n` });
  });

  it('is valid whatever the texts are; as many as services take, errors before warnings', async () => {
    expect(mostResults).toBe(25_000);
    const anyFinding = fc.record({
      code: fc.constantFrom('flow/unreachable', 'missing-auth', 'batch/too-large', 'new/code'),
      severity: fc.constantFrom<Severity>('error', 'warning', 'info'),
      message: hostileText,
      at: hostileText,
      line: fc.integer({ min: 1, max: 99 }),
    });
    const parts = fc.array(fc.oneof(hostileText, fc.constantFrom('..', '.', '', 'a:b')));
    const path = parts.map((all) => all.join('/'));
    const findings = fc.array(anyFinding, { maxLength: 4 });
    const workflows = fc.array(fc.tuple(path, findings), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(workflows, fc.nat(12), async (given, limit) => {
        const rows = given.map(([source], index) => rowWith({ index, source }));
        const made = await summariesOf(rows, ({ index }) => given[index]![1], limit);
        const { tool, results, ...run } = runOf(made['summary.sarif']!);
        const ids: string[] = tool.driver.rules.map(({ id }: { id: string }) => id);
        const all = given.flatMap(([, found]) => found);
        const sorted = severities.flatMap((each) => all.filter((one) => one.severity === each));
        const shown = sorted.slice(0, limit);
        const ruleIds = results.map(({ ruleId }: { ruleId: string }) => ruleId);
        expect(ruleIds).toEqual(shown.map(({ code }) => code));
        expect(ids).toEqual(expect.arrayContaining(ruleIds));
        for (const { message, locations } of results) {
          // No placeholder, no link, nothing that steers a terminal.
          expect(message.text.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]|\]\(/);
          expect(message.text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
          const { uri } = locations[0].physicalLocation.artifactLocation;
          expect(new URL(uri, 'file:///base/of/all/').href).toMatch(/^file:\/\/\/base\/of\/all\//);
        }
        expect(run.properties).toEqual({ results: all.length });
        const [note] = run.invocations[0].toolExecutionNotifications ?? [];
        const told = `${limit} of ${all.length} results are shown, errors first`;
        expect(note?.message.text.split(';')[0]).toBe(all.length > limit ? told : undefined);
      }),
      { seed, numRuns: runs(80) },
    );
  });
});

describe('questions.md', () => {
  const mover = exampleOf(goldenText('saved-answers-with-a-policy')).result;
  const places = mover.questions.flatMap((question) => question.at);
  const text = goldenText('saved-answers-with-a-policy');
  const markdown = questionsMarkdown(mover, locateAll(text, places));

  /** The block to copy. */
  function snippet(page: string): string {
    const [, block = ''] = /\n(?:`{3,})json\n([\s\S]*)\n`{3,}\n$/.exec(page) ?? [];
    return block;
  }

  it('is what is expected, with the places in lines or without', () => {
    const cycle = questionsMarkdown(exampleOf(goldenText('cycle-open')).result);
    const nodes = [{ lines: Array.from({ length: 100 }, (_, index) => index) }];
    const at = Array.from({ length: 9 }, (_, index) => `/nodes/${index}`);
    const value = { type: 'string', enum: Array.from({ length: 25 }, (_, index) => `n${index}`) };
    const questions = mover.questions.slice(0, 1).map((question) => {
      const choices = question.choices.map((choice) => ({ ...choice, value }));
      return { ...question, at, choices };
    });
    const long = questionsMarkdown({ ...mover, workflow: { nodes }, questions });
    const node = { key: 'node', label: 'A node', effect: '…', value: { type: 'string' } };
    const asked = [
      exampleQuestion({ id: 'a', choices: [node], proposal: 'node', proposalValue: 'a' }),
      exampleQuestion({ id: 'b', choices: [node] }),
      exampleQuestion({ id: 'c' }),
      exampleQuestion({ ...cyclicQuestion, id: '__proto__' }),
    ].map((each) => ({ ...each, subject: '0123456789abcdef' }));
    const choices = questionsMarkdown({ ...mover, questions: asked });
    const files = { 'mover.md': markdown, 'cycle.md': cycle, 'long.md': long };
    expectFiles('questions', { ...files, 'choices.md': choices });
  });

  it('lets no text become markup, and ends in answers that migrate reads', () => {
    const bad = fc.oneof(
      hostileText,

      fc.constantFrom('`` ` ```', '```\n# Heading\n- [ ] task\n```', '    indented\n\n> quote'),
    );
    fc.assert(
      fc.property(bad, bad, bad, (one, two, three) => {
        const [first, ...others] = mover.questions as [AskedQuestion, ...AskedQuestion[]];
        const value = { type: 'string', description: two, enum: [one, three] };
        const asked: AskedQuestion = {
          ...first,
          id: `missing-destination:${one}`,
          text: `The node ${two} ${three}`,
          at: [`/${three.replaceAll('~', '~0').replaceAll('/', '~1')}`],
          choices: first.choices.map((choice) => ({ ...choice, value })),
          proposal: 'number',
          proposalValue: three,
        };
        const page = questionsMarkdown({
          ...{ ...mover, name: one, source: two, questions: [asked, ...others] },
          workflow: Object.fromEntries([[three, { [two]: one, ['__proto__']: three }]]),
        });
        const left = skeleton(page);
        expect(left).not.toMatch(/[<>]|left by|(?<!\\)\]\(|(?<!\\)!\[/);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: none may be left
        expect(page).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e\u2028]/);
        // As many headings as there are sections.
        expect(left.match(/^#+ /gm)).toHaveLength(2 + mover.questions.length);
        const answers = readRunAnswers([{ name: 'a.json', text: snippet(page) }]);
        expect(answers.diagnostics).toEqual([]);
        const given = answers.workflows.get(mover.key)?.get(asked.id);
        expect(given).toEqual({ choice: 'number', value: three, subject: asked.subject });
      }),
      { seed, numRuns: runs(200) },
    );
  });
});

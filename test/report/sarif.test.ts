import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codes, compile, explain } from '../../src/index.js';
import { relativeUri, renderSarif, sarifResult } from '../../src/report/sarif.js';
import {
  collectFindings,
  type FindingOwner,
  findingsOf,
  mostResults,
  type SarifFinding,
} from '../../src/report/sarif-findings.js';
import { hostileTexts, rowWith } from './rows.js';
import { faultsOfSarif } from './sarif-schema.js';

const finding = (given: Partial<SarifFinding> = {}): SarifFinding => ({
  code: 'flow/unreachable',
  severity: 'warning',
  message: 'No call can reach it.',
  at: '/nodes/3',
  line: 12,
  column: 7,
  ...given,
});

type Given = readonly (readonly [owner: FindingOwner, findings: readonly SarifFinding[]])[];

function logOf(given: Given, limit?: number) {
  const collected = collectFindings(limit);
  for (const [owner, findings] of given) collected.add(owner, findings);
  const results = Array.from(collected.entries(), sarifResult);
  const text = [...renderSarif({ squadc: '1.2.3', results, total: collected.total })].join('');
  return JSON.parse(text);
}

const resultsOf = (given: Given, limit?: number) => logOf(given, limit).runs[0].results;

it('is checked by the schema of the format', () => {
  expect(faultsOfSarif({ version: '2.1.0' })).not.toEqual([]);
  expect(faultsOfSarif({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).not.toEqual([]);
});

describe('summary.sarif', () => {
  it('is valid where nothing was found', () => {
    const log = logOf([]);
    expect(faultsOfSarif(log)).toEqual([]);
    expect(log.version).toBe('2.1.0');
    expect(log.runs).toHaveLength(1);
    expect(log.runs[0]).toMatchObject({
      columnKind: 'utf16CodeUnits',
      results: [],
      invocations: [{ executionSuccessful: true }],
    });
    expect(log.runs[0].invocations[0]).not.toHaveProperty('toolExecutionNotifications');
  });

  it('has every code and kind as a rule', () => {
    const { driver } = logOf([]).runs[0].tool;
    expect(driver).toMatchObject({ name: 'squadc', version: '1.2.3' });
    const ids = driver.rules.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(codes());
    for (const rule of driver.rules) {
      expect(rule.shortDescription.text).not.toBe('');
      expect(rule.help.text).not.toBe('');
      const severity = explain(rule.id)?.severity ?? 'warning';
      const level = severity === 'info' ? 'note' : severity;
      if (explain(rule.id)) expect(rule.defaultConfiguration.level).toBe(level);
    }
  });

  it('places a finding in its file', () => {
    const owner = rowWith({ index: 4, source: 'flows/été 1.json' });
    const log = logOf([[owner, [finding()]]]);
    expect(faultsOfSarif(log)).toEqual([]);
    expect(log.runs[0].results).toEqual([
      {
        ruleId: 'flow/unreachable',
        level: 'warning',
        message: { text: 'No call can reach it.' },
        locations: [
          {
            physicalLocation: {
              artifactLocation: { uri: 'flows/%C3%A9t%C3%A9%201.json' },
              region: { startLine: 12, startColumn: 7 },
            },
            logicalLocations: [{ fullyQualifiedName: '/nodes/3', kind: 'value' }],
          },
        ],
        partialFingerprints: { 'squadc/v1': expect.stringMatching(/^[0-9a-f]{64}$/) },
        properties: { index: 4, key: owner.key },
      },
    ]);
  });

  it('places a workflow of a JSONL file on its line', () => {
    const owner = rowWith({ source: 'all.jsonl', line: 31 });
    const [placed, without] = resultsOf([
      [owner, [finding({ line: 1 }), { ...finding(), line: 0 } as SarifFinding]],
    ]);
    expect(placed.locations[0].physicalLocation.region).toEqual({ startLine: 31, startColumn: 7 });
    expect(without.locations[0].physicalLocation.region.startLine).toBe(31);
    const { line, column, ...nowhere } = finding({ at: '' });
    const [result] = resultsOf([[rowWith(), [nowhere]]]);
    expect(result.locations).toEqual([
      { physicalLocation: { artifactLocation: { uri: 'flows/clinic.json' } } },
    ]);
  });

  it('is valid whatever the texts are', () => {
    const anyText = fc.oneof(
      fc.constantFrom(...hostileTexts),
      fc.string({ unit: 'binary', maxLength: 20 }),
    );
    const anyFinding = fc.record({
      code: fc.constantFrom('flow/unreachable', 'missing-auth', 'batch/too-large', 'new/code'),
      severity: fc.constantFrom('error' as const, 'warning' as const, 'info' as const),
      message: anyText,
      at: anyText,
      line: fc.integer({ min: 1, max: 99 }),
    });
    fc.assert(
      fc.property(anyText, fc.array(anyFinding, { maxLength: 4 }), (source, findings) => {
        const log = logOf([[rowWith({ source }), findings]]);
        expect(faultsOfSarif(log)).toEqual([]);
        const ids = new Set(log.runs[0].tool.driver.rules.map(({ id }: { id: string }) => id));
        expect(ids.size).toBe(log.runs[0].tool.driver.rules.length);
        for (const { ruleId, message } of log.runs[0].results) {
          expect(ids).toContain(ruleId);
          // No placeholder, no link, nothing that steers a terminal.
          expect(message.text.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]|\]\(/);
          expect(message.text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('the address of a source', () => {
  it.each([
    ['flows/clinic.json', 'flows/clinic.json'],
    ['stdin', 'stdin'],
    ['a b/c#d?e.json', 'a%20b/c%23d%3Fe.json'],
    ['https://example.test/x.json', 'https%3A/example.test/x.json'],
    ['//example.test/x.json', 'example.test/x.json'],
    ['../../etc/./passwd', 'etc/passwd'],
    ['back\\slash "quoted" (1)', 'back%5Cslash%20%22quoted%22%20%281%29'],
    ['half \ud800', 'half%20%EF%BF%BD'],
  ])('%j is %s', (path, uri) => {
    expect(relativeUri(path)).toBe(uri);
  });

  it('is relative and below the base, whatever the path is', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string(), fc.constantFrom('..', '.', '', 'a:b'))),
        (parts) => {
          const { href } = new URL(relativeUri(parts.join('/')), 'file:///base/of/all/');
          expect(href.startsWith('file:///base/of/all/')).toBe(true);
        },
      ),
    );
  });
});

describe('the fingerprint', () => {
  const prints = (given: Given) =>
    resultsOf(given).map((result: { partialFingerprints: object }) =>
      Object.values(result.partialFingerprints).join(),
    );

  it('stays with the workflow, the code and what it is about, and nothing else', () => {
    const [print] = prints([[rowWith(), [finding()]]]);
    const moved = rowWith({ index: 9, source: 'elsewhere.json', line: 3 });
    expect(prints([[moved, [finding({ message: 'Other words.', line: 99, column: 1 })]]])).toEqual([
      print,
    ]);
    for (const other of [
      [rowWith({ key: 'clinic-00000000' }), [finding()]],
      [rowWith(), [finding({ code: 'flow/endless' })]],
      [rowWith(), [finding({ at: '/nodes/4' })]],
      [rowWith(), [finding({ subject: 'missing-auth:a' })]],
    ] as const) {
      expect(prints([other])).not.toEqual([print]);
    }
  });

  it('differs between findings with one code at one place', () => {
    const twice = findingsOf({ diagnostics: [finding(), finding(), finding()], questions: [] });
    expect(new Set(prints([[rowWith(), twice]])).size).toBe(3);
  });
});

describe('what becomes a result', () => {
  it('are failures, diagnostics and open questions, errors first', () => {
    const note = finding({ severity: 'info', code: 'shape/dialect', at: '' });
    const error = finding({ severity: 'error', code: 'shape/no-nodes' });
    const ofAnswers = { ...finding({ code: 'api/stale-answer', at: '/answers/x' }), in: 'answers' };
    const found = findingsOf({
      failure: { code: 'batch/write-failed', message: 'The disk is full.' },
      diagnostics: [note, finding(), ofAnswers, error],
      questions: [{ id: 'missing-auth:a', kind: 'missing-auth', text: 'Which?', at: ['/nodes/1'] }],
    });
    expect(found).toEqual([
      { code: 'batch/write-failed', severity: 'error', message: 'The disk is full.', at: '' },
      error,
      finding(),
      {
        code: 'api/stale-answer',
        severity: 'warning',
        message: 'No call can reach it.',
        at: '',
        subject: 'answers:/answers/x',
      },
      {
        code: 'missing-auth',
        severity: 'warning',
        message: 'Which?',
        at: '/nodes/1',
        subject: 'missing-auth:a',
      },
      note,
    ]);
  });

  it('comes from what compile gives', () => {
    const { diagnostics, questions } = compile({
      nodes: [
        { id: 'a', type: 'conversation', more: 1 },
        { id: 'b', type: 'transferCall' },
      ],
      edges: [{ from: 'a', to: 'b' }],
    });
    const log = logOf([[rowWith(), findingsOf({ diagnostics, questions })]]);
    expect(faultsOfSarif(log)).toEqual([]);
    const ids = log.runs[0].results.map(({ ruleId }: { ruleId: string }) => ruleId);
    expect(ids.toSorted()).toEqual(['missing-destination', 'shape/no-name', 'shape/unknown-field']);
  });
});

describe('the limit', () => {
  it('is that of the services that read such files', () => expect(mostResults).toBe(25_000));

  it('keeps errors before warnings before notes, each in the order of the input', () => {
    const severity = fc.constantFrom('error' as const, 'warning' as const, 'info' as const);
    const runs = fc.array(fc.array(severity, { maxLength: 4 }), { maxLength: 12 });
    fc.assert(
      fc.property(runs, fc.nat(12), (run, limit) => {
        const given = run.map(
          (severities, index) =>
            [
              rowWith({ index }),
              severities.map((each, at) => finding({ severity: each, at: `/${index}/${at}` })),
            ] as const,
        );
        const shown = resultsOf(given, limit).map(
          (result: { locations: [{ logicalLocations: [{ fullyQualifiedName: string }] }] }) =>
            result.locations[0].logicalLocations[0].fullyQualifiedName,
        );
        const all = given.flatMap(([, findings]) => findings);
        const expected = (['error', 'warning', 'info'] as const)
          .flatMap((each) => all.filter((one) => one.severity === each))
          .slice(0, limit);
        expect(shown).toEqual(expected.map(({ at }) => at));
      }),
    );
  });

  it('says what was left out', () => {
    const log = logOf([[rowWith(), [finding(), finding({ at: '/nodes/4' })]]], 1);
    expect(faultsOfSarif(log)).toEqual([]);
    expect(log.runs[0].properties).toEqual({ results: 2 });
    const [notification] = log.runs[0].invocations[0].toolExecutionNotifications;
    expect(notification.level).toBe('warning');
    expect(notification.message.text).toMatch(/^1 of 2 results are shown/);
  });
});

/** `summary.sarif`: valid by the schema of the format, whatever is found, and how much of it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codes, compile, explain } from '../../src/index.js';
import {
  type FindingOwner,
  findingsOf,
  mostResults,
  type SarifFinding,
  SarifResults,
} from '../../src/report/sarif.js';
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

/** The run of a file that is valid. */
function runOf(given: Given, limit?: number) {
  const results = new SarifResults(limit);
  for (const [owner, findings] of given) results.add(owner, findings);
  const log = JSON.parse(results.render('1.2.3'));
  expect(faultsOfSarif(log)).toEqual([]);
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}

const resultsOf = (...findings: readonly SarifFinding[]) => runOf([[rowWith(), findings]]).results;

it('is checked by the schema of the format', () => {
  expect(faultsOfSarif({ version: '2.1.0' })).not.toEqual([]);
  expect(faultsOfSarif({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).not.toEqual([]);
});

it('has every code and kind as a rule, and no results where nothing was found', () => {
  const run = runOf([]);
  const { driver } = run.tool;
  expect(driver).toMatchObject({ name: 'squadc', version: '1.2.3' });
  expect(driver.rules.map(({ id }: { id: string }) => id)).toEqual(codes());
  for (const { id, shortDescription, help, defaultConfiguration } of driver.rules) {
    expect([shortDescription.text, help.text]).not.toContain('');
    const severity = explain(id)?.severity ?? 'warning';
    expect(defaultConfiguration.level).toBe(severity === 'info' ? 'note' : severity);
  }
  expect(run).toMatchObject({ columnKind: 'utf16CodeUnits', results: [] });
  expect(run.invocations).toEqual([{ executionSuccessful: true }]);
});

it('places a finding in its file, one of a JSONL file on its line', () => {
  const owner = rowWith({ index: 4, source: 'flows/été 1.json' });
  expect(runOf([[owner, [finding()]]]).results).toEqual([
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
  const ofLine = runOf([[rowWith({ source: 'all.jsonl', line: 31 }), [finding({ line: 1 })]]]);
  const [{ physicalLocation }] = ofLine.results[0].locations;
  expect(physicalLocation.region).toEqual({ startLine: 31, startColumn: 7 });
  const { line, column, ...nowhere } = finding({ at: '' });
  expect(resultsOf(nowhere)[0].locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: 'flows/clinic.json' } } },
  ]);
});

it.each([
  ['flows/clinic.json', 'flows/clinic.json'],
  ['stdin', 'stdin'],
  ['a b/c#d?e.json', 'a%20b/c%23d%3Fe.json'],
  ['https://example.test/x.json', 'https%3A/example.test/x.json'],
  ['../../etc/./passwd', 'etc/passwd'],
  ['back\\slash "quoted" (1)', 'back%5Cslash%20%22quoted%22%20%281%29'],
  ['half \ud800', 'half%20%EF%BF%BD'],
])('names the source %j as %s', (source, uri) => {
  const [{ locations }] = runOf([[rowWith({ source }), [finding()]]]).results;
  expect(locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
});

it('is valid whatever the texts are, and names no file outside of the base', () => {
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
  const anyPath = fc
    .array(fc.oneof(anyText, fc.constantFrom('..', '.', '', 'a:b')))
    .map((parts) => parts.join('/'));
  fc.assert(
    fc.property(anyPath, fc.array(anyFinding, { maxLength: 4 }), (source, findings) => {
      const run = runOf([[rowWith({ source }), findings]]);
      const ids: string[] = run.tool.driver.rules.map(({ id }: { id: string }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      for (const { ruleId, message, locations } of run.results) {
        expect(ids).toContain(ruleId);
        // No placeholder, no link, nothing that steers a terminal.
        expect(message.text.replaceAll('{{', '').replaceAll('}}', '')).not.toMatch(/[{}]|\]\(/);
        expect(message.text).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
        const { uri } = locations[0].physicalLocation.artifactLocation;
        expect(new URL(uri, 'file:///base/of/all/').href).toMatch(/^file:\/\/\/base\/of\/all\//);
      }
    }),
    { numRuns: 60 },
  );
});

it('has a fingerprint of the workflow, the code and what it is about, and of nothing else', () => {
  const printOf = (given: Partial<SarifFinding>, owner: FindingOwner = rowWith()) =>
    runOf([[owner, [finding(given)]]]).results[0].partialFingerprints['squadc/v1'];
  const print = printOf({});
  const moved = rowWith({ index: 9, source: 'elsewhere.json', line: 3 });
  expect(printOf({ message: 'Other words.', line: 99, column: 1 }, moved)).toBe(print);
  const others = [
    printOf({}, rowWith({ key: 'clinic-00000000' })),
    printOf({ code: 'flow/endless' }),
    printOf({ at: '/nodes/4' }),
    printOf({ subject: 'missing-auth:a' }),
  ];
  expect(new Set([print, ...others]).size).toBe(5);
  const thrice = findingsOf({ diagnostics: [finding(), finding(), finding()], questions: [] });
  const prints = resultsOf(...thrice).map(
    ({ partialFingerprints }: { partialFingerprints: object }) =>
      Object.values(partialFingerprints).join(),
  );
  expect(new Set(prints).size).toBe(3);
});

it('holds failures, diagnostics and open questions, errors first', () => {
  const note = finding({ severity: 'info', code: 'shape/dialect', at: '' });
  const error = finding({ severity: 'error', code: 'shape/no-nodes' });
  const stale = {
    ...finding({ code: 'api/stale-answer', at: '/answers/x' }),
    in: 'answers' as const,
  };
  const found = findingsOf({
    failure: { code: 'batch/write-failed', message: 'The disk is full.' },
    diagnostics: [note, finding(), stale, error],
    questions: [{ id: 'missing-auth:a', kind: 'missing-auth', text: 'Which?', at: ['/nodes/1'] }],
  });
  const warning = { severity: 'warning', message: 'No call can reach it.' };
  expect(found).toEqual([
    { code: 'batch/write-failed', severity: 'error', message: 'The disk is full.', at: '' },
    error,
    finding(),
    { ...warning, code: 'api/stale-answer', at: '', subject: 'answers:/answers/x' },
    {
      ...warning,
      code: 'missing-auth',
      message: 'Which?',
      at: '/nodes/1',
      subject: 'missing-auth:a',
    },
    note,
  ]);
  const { diagnostics, questions } = compile({
    nodes: [
      { id: 'a', type: 'conversation', more: 1 },
      { id: 'b', type: 'transferCall' },
    ],
    edges: [{ from: 'a', to: 'b' }],
  });
  const ids = resultsOf(...findingsOf({ diagnostics, questions })).map(
    ({ ruleId }: { ruleId: string }) => ruleId,
  );
  expect(ids.toSorted()).toEqual(['missing-destination', 'shape/no-name', 'shape/unknown-field']);
});

it('keeps as many as the services take: errors before warnings before notes, in order', () => {
  expect(mostResults).toBe(25_000);
  const severity = fc.constantFrom('error' as const, 'warning' as const, 'info' as const);
  const runs = fc.array(fc.array(severity, { maxLength: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(runs, fc.nat(12), (workflows, limit) => {
      const given = workflows.map((severities, index) => {
        const found = severities.map((each, at) =>
          finding({ severity: each, at: `/${index}/${at}` }),
        );
        return [rowWith({ index }), found] as const;
      });
      const run = runOf(given, limit);
      const all = given.flatMap(([, findings]) => findings);
      const expected = (['error', 'warning', 'info'] as const)
        .flatMap((each) => all.filter((one) => one.severity === each))
        .slice(0, limit);
      type Result = { locations: [{ logicalLocations: [{ fullyQualifiedName: string }] }] };
      const shown = run.results.map(
        ({ locations }: Result) => locations[0].logicalLocations[0].fullyQualifiedName,
      );
      expect(shown).toEqual(expected.map(({ at }) => at));
      expect(run.properties).toEqual({ results: all.length });
      const [notification] = run.invocations[0].toolExecutionNotifications ?? [];
      if (all.length <= limit) expect(notification).toBeUndefined();
      else {
        expect(notification.level).toBe('warning');
        expect(notification.message.text).toContain(`${shown.length} of ${all.length} results`);
      }
    }),
  );
});

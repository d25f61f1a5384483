/** `summary.sarif`: valid by the schema of the format, whatever is found, and however much. */
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { codes, compile, explain, type Severity } from '../../src/index.js';
import {
  type FindingOwner,
  findingsOf,
  mostResults,
  type SarifFinding,
  SarifResults,
} from '../../src/report/sarif.js';
import { hostileText, rowWith } from './example-run.js';

/** By the schema that Microsoft publishes (MIT); draft 7 reads it as draft 4 does. */
const schemaFile = 'node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json';
const { id: _, $schema, ...schema } = JSON.parse(readFileSync(schemaFile, 'utf8'));
const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false });
ajv.addFormat('uri', (text: string) => URL.canParse(text));
ajv.addFormat('uri-reference', /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9A-F]{2})*$/i);
ajv.addFormat('date-time', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
const validate = ajv.compile(schema);

const finding = (given: Partial<SarifFinding> = {}): SarifFinding => ({
  ...{ code: 'flow/unreachable', severity: 'warning', message: 'No call can reach it.' },
  ...{ at: '/nodes/3', line: 12, column: 7 },
  ...given,
});

/** The one run of a valid file. */
function runOf(
  given: readonly (readonly [owner: FindingOwner, findings: readonly SarifFinding[]])[],
  limit?: number,
) {
  const results = new SarifResults(limit);
  for (const [owner, findings] of given) results.add(owner, findings);
  const log = JSON.parse(results.render('1.2.3'));
  expect(validate(log), JSON.stringify(validate.errors)).toBe(true);
  expect(log.runs).toHaveLength(1);
  return log.runs[0];
}

const resultsOf = (findings: readonly SarifFinding[], owner: FindingOwner = rowWith()) =>
  runOf([[owner, findings]]).results;

it('has every code and kind of question as a rule, and no results if nothing was found', () => {
  const { tool, ...run } = runOf([]);
  expect(tool.driver).toMatchObject({ name: 'squadc', version: '1.2.3' });
  expect(tool.driver.rules.map(({ id }: { id: string }) => id)).toEqual(codes());
  for (const { id, shortDescription, help, defaultConfiguration } of tool.driver.rules) {
    expect([shortDescription.text, help.text]).not.toContain('');
    const severity = explain(id)?.severity ?? 'warning';
    expect(defaultConfiguration.level).toBe(severity === 'info' ? 'note' : severity);
  }
  expect(run).toMatchObject({ columnKind: 'utf16CodeUnits', results: [] });
  expect(run.invocations).toEqual([{ executionSuccessful: true }]);
  expect(validate({ version: '2.1.0', runs: [{ tool: { driver: {} } }] })).toBe(false);
});

it('places a finding in its file; for a line of JSONL, on that line', () => {
  const owner = rowWith({ index: 4, source: 'flows/été 1.json' });
  const artifactLocation = { uri: 'flows/%C3%A9t%C3%A9%201.json' };
  const region = { startLine: 12, startColumn: 7 };
  const logicalLocations = [{ fullyQualifiedName: '/nodes/3', kind: 'value' }];
  expect(resultsOf([finding()], owner)).toEqual([
    {
      ruleId: 'flow/unreachable',
      level: 'warning',
      message: { text: 'No call can reach it.' },
      locations: [{ physicalLocation: { artifactLocation, region }, logicalLocations }],
      partialFingerprints: { 'squadc/v1': expect.stringMatching(/^[0-9a-f]{64}$/) },
      properties: { index: 4, key: owner.key },
    },
  ]);
  const [ofLine] = resultsOf([finding({ line: 1 })], rowWith({ source: 'a.jsonl', line: 31 }));
  const { physicalLocation } = ofLine.locations[0];
  expect(physicalLocation.region).toEqual({ startLine: 31, startColumn: 7 });
  const { line, column, ...nowhere } = finding({ at: '' });
  expect(resultsOf([nowhere])[0].locations).toEqual([
    { physicalLocation: { artifactLocation: { uri: 'flows/clinic.json' } } },
  ]);
});

it.each([
  ['stdin', 'stdin'],
  ['a b/c#d?e.json', 'a%20b/c%23d%3Fe.json'],
  ['https://example.test/x.json', 'https%3A/example.test/x.json'],
  ['../../etc/./passwd', 'etc/passwd'],
  ['back\\slash "quoted" (1)', 'back%5Cslash%20%22quoted%22%20%281%29'],
  ['half \ud800', 'half%20%EF%BF%BD'],
])('names the source %j as %s', (source, uri) => {
  const [{ locations }] = resultsOf([finding()], rowWith({ source }));
  expect(locations[0].physicalLocation.artifactLocation.uri).toBe(uri);
});

it('is valid whatever the texts are, and names no file outside the base', () => {
  const anyFinding = fc.record({
    code: fc.constantFrom('flow/unreachable', 'missing-auth', 'batch/too-large', 'new/code'),
    severity: fc.constantFrom<Severity>('error', 'warning', 'info'),
    message: hostileText,
    at: hostileText,
    line: fc.integer({ min: 1, max: 99 }),
  });
  const anyPath = fc
    .array(fc.oneof(hostileText, fc.constantFrom('..', '.', '', 'a:b')))
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

it('has a fingerprint of the workflow, the code and the subject, and of nothing else', () => {
  const printsOf = (findings: readonly SarifFinding[], owner?: FindingOwner): string[] =>
    resultsOf(findings, owner).map(
      (result: { partialFingerprints: object }) => Object.values(result.partialFingerprints)[0],
    );
  const [print] = printsOf([finding()]);
  const moved = rowWith({ index: 9, source: 'elsewhere.json', line: 3 });
  expect(printsOf([finding({ message: 'Other.', line: 99, column: 1 })], moved)).toEqual([print]);
  const others = [
    ...printsOf([finding()], rowWith({ key: 'clinic-00000000' })),
    ...printsOf([finding({ code: 'flow/endless' }), finding({ at: '/nodes/4' })]),
    ...printsOf([finding({ subject: 'missing-auth:a' })]),
    ...printsOf(findingsOf({ diagnostics: [finding(), finding(), finding()], questions: [] })),
  ];
  expect(new Set([print, ...others]).size).toBe(7);
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
  const subjects = found.map(({ code, at, subject }) => [code, at, subject]);
  expect(subjects).toEqual([
    ['batch/write-failed', '', undefined],
    ['shape/no-nodes', '/nodes/3', undefined],
    ['flow/unreachable', '/nodes/3', undefined],
    ['api/stale-answer', '', 'answers:/answers/x'],
    ['missing-auth', '/nodes/1', 'missing-auth:a'],
    ['shape/dialect', '', undefined],
  ]);
  const nodes = [
    { id: 'a', type: 'conversation', more: 1 },
    { id: 'b', type: 'transferCall' },
  ];
  const { diagnostics, questions } = compile({ nodes, edges: [{ from: 'a', to: 'b' }] });
  const results = resultsOf(findingsOf({ diagnostics, questions }));
  const ids = results.map(({ ruleId }: { ruleId: string }) => ruleId);
  expect(ids.toSorted()).toEqual(['missing-destination', 'shape/no-name', 'shape/unknown-field']);
});

it('keeps as many as services take: errors before warnings before notes, in order', () => {
  expect(mostResults).toBe(25_000);
  const severity = fc.constantFrom<Severity>('error', 'warning', 'info');
  const workflows = fc.array(fc.array(severity, { maxLength: 4 }), { maxLength: 12 });
  fc.assert(
    fc.property(workflows, fc.nat(12), (found, limit) => {
      const given = found.map((severities, index) => {
        const findings = severities.map((each, at) =>
          finding({ severity: each, at: `/${index}/${at}` }),
        );
        return [rowWith({ index }), findings] as const;
      });
      const run = runOf(given, limit);
      const all = given.flatMap(([, findings]) => findings);
      const wanted = (['error', 'warning', 'info'] as const)
        .flatMap((each) => all.filter((one) => one.severity === each))
        .slice(0, limit);
      type Result = { locations: [{ logicalLocations: [{ fullyQualifiedName: string }] }] };
      const shown = run.results.map(
        ({ locations }: Result) => locations[0].logicalLocations[0].fullyQualifiedName,
      );
      expect(shown).toEqual(wanted.map(({ at }) => at));
      expect(run.properties).toEqual({ results: all.length });
      const notes = run.invocations[0].toolExecutionNotifications ?? [];
      const told = all.length > limit ? [`${shown.length} of ${all.length} results`] : [];
      expect(notes).toHaveLength(told.length);
      for (const text of told) expect(notes[0].message.text).toContain(text);
    }),
  );
});

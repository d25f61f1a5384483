/**
 * `summary.sarif`: what was found, for services that show findings in place (SARIF 2.1.0).
 *
 * One run; the rules are the catalogue of codes and the kinds of question; a result a line. An open question is
 * a result too, by its kind: it stops a workflow as an error does.
 */

import { hash } from 'node:crypto';
import { codes, explain } from '../diagnostics/explain.js';
import { escapeControls } from '../diagnostics/quote.js';
import type { CollectedFinding } from './sarif-findings.js';

/** A result as it stands in the file. */
export interface SarifResult {
  readonly ruleId: string;
  readonly text: string;
}

export interface SarifInput {
  /** Version of squadc. */
  readonly squadc: string;
  readonly results: readonly SarifResult[];
  /** How many there would be without the limit. */
  readonly total: number;
}

const schema = 'https://json.schemastore.org/sarif-2.1.0.json';

export function renderSarif({ squadc, results, total }: SarifInput): string {
  const rules = rulesFor(results.map(({ ruleId }) => ruleId)).map((rule) => JSON.stringify(rule));
  return `{
"$schema":"${schema}",
"version":"2.1.0",
"runs":[{
"tool":{"driver":{"name":"squadc","version":${JSON.stringify(squadc)},"rules":[
${rules.join(',\n')}
]}},
"columnKind":"utf16CodeUnits",
"invocations":[${JSON.stringify(invocation(results.length, total))}],
"properties":${JSON.stringify({ results: total })},
"results":[${results.map(({ text }) => `\n${text}`).join(',')}
]
}]
}
`;
}

function invocation(shown: number, total: number): object {
  const left = total - shown;
  if (left === 0) return { executionSuccessful: true };
  const text =
    `${shown} of ${total} results are shown, errors first; ${left} were left out. ` +
    'Each result.json is complete.';
  return {
    executionSuccessful: true,
    toolExecutionNotifications: [{ level: 'warning', message: plainMessage(text) }],
  };
}

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

/** A finding as a result. */
export function sarifResult({ owner, finding }: CollectedFinding): SarifResult {
  const { code, severity, message, at } = finding;
  const { index, key } = owner;
  const text = JSON.stringify({
    ruleId: code,
    level: levels[severity],
    message: plainMessage(message),
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: relativeUri(owner.source) },
          ...regionOf({ owner, finding }),
        },
        ...(at !== '' && { logicalLocations: [{ fullyQualifiedName: at, kind: 'value' }] }),
      },
    ],
    partialFingerprints: { 'squadc/v1': fingerprint(key, code, finding.subject ?? at) },
    properties: { index, key },
  });
  return { ruleId: code, text };
}

/** A workflow of a JSONL file is on one line of it, whatever line of the workflow was meant. */
function regionOf({ owner, finding }: CollectedFinding): object {
  const startLine = owner.line ?? finding.line;
  if (startLine === undefined) return {};
  const { column } = finding;
  return { region: { startLine, ...(column !== undefined && { startColumn: column }) } };
}

/**
 * A path as a relative reference: nothing of it is read as a scheme, a host, a query or a way up.
 */
export function relativeUri(path: string): string {
  const segments = path.split('/').filter((segment) => !/^\.{0,2}$/.test(segment));
  // Half a surrogate pair is no character that could be encoded.
  const encoded = segments.map((segment) => encodeURIComponent(segment.toWellFormed()));
  return encoded.join('/').replace(/[!'()*]/g, percentEncoded);
}

function percentEncoded(sign: string): string {
  return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Stays the same while the workflow, the code and what it is about do. */
function fingerprint(key: string, code: string, subject: string): string {
  return hash('sha256', `${key}\0${code}\0${subject}`);
}

/**
 * The text as a message that is shown as it is. Single braces would be placeholders, so the format
 * wants them twice; a bracket before a parenthesis would be a link.
 */
function plainMessage(text: string): { readonly text: string } {
  const literal = text.replaceAll('{', '{{').replaceAll('}', '}}').replaceAll('](', '] (');
  return { text: literal.split('\n').map(escapeControls).join('\n') };
}

export interface SarifRule {
  readonly id: string;
  readonly shortDescription?: { readonly text: string };
  readonly fullDescription?: { readonly text: string };
  readonly help?: { readonly text: string };
  readonly defaultConfiguration?: { readonly level: 'error' | 'warning' | 'note' };
}

/** All rules by id; with a rule of its own for an id that only the results know. */
function rulesFor(ids: Iterable<string>): SarifRule[] {
  const rules = new Map(codes().map((code) => [code, ruleOf(code)]));
  for (const id of ids) if (!rules.has(id)) rules.set(id, { id });
  return [...rules.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function ruleOf(code: string): SarifRule {
  const explained = explain(code);
  if (explained === null) return { id: code };
  const { title, why, help, severity = 'warning' } = explained;
  return {
    id: code,
    shortDescription: plainMessage(title),
    ...(why !== undefined && { fullDescription: plainMessage(why) }),
    help: plainMessage(help),
    defaultConfiguration: { level: levels[severity] },
  };
}

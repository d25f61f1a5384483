/**
 * `summary.sarif`: the findings, for services that show them beside the source (SARIF 2.1.0).
 *
 * Rules are all codes and all kinds of question. An open question is a result too, because it stops a
 * workflow as an error does. Each result is one line of the file.
 */
import { hash } from 'node:crypto';
import { codes, explain } from '../diagnostics/explain.js';
import { escapeControls } from '../text/controls.js';
import type { Diagnostic, PlacedDiagnostic, Question, Severity } from '../index.js';
import type { WorkflowRow } from './model.js';

/** GitHub accepts no more in a run. */
export const mostResults = 25_000;

/** A finding or an open question of a workflow. */
export interface SarifFinding
  extends Pick<Diagnostic, 'code' | 'severity' | 'message' | 'at'>,
    Partial<Pick<PlacedDiagnostic, 'line' | 'column'>> {
  /** Distinguishes it from others with the same code; by default its pointer. */
  readonly subject?: string;
}

/** What the findings of a workflow are made from. */
export interface FoundFacts {
  readonly failure?: WorkflowRow['failure'];
  readonly diagnostics: readonly (Omit<SarifFinding, 'subject'> & Pick<Diagnostic, 'in'>)[];
  readonly questions: readonly Pick<Question, 'id' | 'kind' | 'text' | 'at'>[];
}

const severities = ['error', 'warning', 'info'] as const;

/** The failure, the diagnostics and the open questions of a workflow, errors first. */
export function findingsOf({ failure, diagnostics, questions }: FoundFacts): SarifFinding[] {
  const found: SarifFinding[] = [
    ...(failure ? [{ ...failure, severity: 'error' as const, at: '' }] : []),
    ...diagnostics.map(({ code, severity, message, at, in: part, line, column }) => {
      // A place in the options or the answers is no place in the workflow.
      if (part !== undefined) return { code, severity, message, at: '', subject: `${part}:${at}` };
      return { code, severity, message, at, ...(line && { line }), ...(column && { column }) };
    }),
    ...questions.map(({ id, kind, text, at: [at = ''] }) => {
      return { code: kind, severity: 'warning' as const, message: text, at, subject: id };
    }),
  ];
  // Findings with the same code and subject are numbered.
  const met = new Map<string, number>();
  const distinct = found.map((finding) => {
    const subject = finding.subject ?? finding.at;
    const times = (met.get(`${finding.code}\n${subject}`) ?? 0) + 1;
    met.set(`${finding.code}\n${subject}`, times);
    return times === 1 ? finding : { ...finding, subject: `${subject}#${times}` };
  });
  return severities.flatMap((each) => distinct.filter(({ severity }) => severity === each));
}

/** The results of many workflows, which come in the order of the input. */
export class SarifResults {
  /** Texts of results; of each severity no more than the limit. */
  private readonly held: Readonly<Record<Severity, string[]>> = {
    error: [],
    warning: [],
    info: [],
  };
  private readonly ruleIds = new Set(codes());
  private total = 0;

  constructor(private readonly limit = mostResults) {}

  add(owner: FindingOwner, findings: readonly SarifFinding[]): void {
    for (const finding of findings) {
      const { code, severity } = finding;
      this.total += 1;
      if (this.held[severity].length === this.limit) continue;
      this.ruleIds.add(code);
      this.held[severity].push(JSON.stringify(resultOf(owner, finding)));
    }
  }

  /** Errors first, then warnings, then notes, each in the order of the input. */
  render(squadc: string): string {
    const rules = [...this.ruleIds].sort().map((id) => JSON.stringify(ruleOf(id)));
    const shown = severities.flatMap((each) => this.held[each]).slice(0, this.limit);
    return `{
"$schema":"https://json.schemastore.org/sarif-2.1.0.json",
"version":"2.1.0",
"runs":[{
"tool":{"driver":{"name":"squadc","version":${JSON.stringify(squadc)},"rules":[
${rules.join(',\n')}
]}},
"columnKind":"utf16CodeUnits",
"invocations":[${JSON.stringify(invocationOf(shown.length, this.total))}],
"properties":${JSON.stringify({ results: this.total })},
"results":[${shown.map((text) => `\n${text}`).join(',')}
]
}]
}
`;
  }
}

function invocationOf(shown: number, total: number): object {
  if (shown === total) return { executionSuccessful: true };
  const text =
    `${shown} of ${total} results are shown, errors first; ${total - shown} were left out. ` +
    'Each result.json is complete.';
  const notification = { level: 'warning', message: plainMessage(text) };
  return { executionSuccessful: true, toolExecutionNotifications: [notification] };
}

/** The workflow that a finding belongs to. */
export type FindingOwner = Pick<WorkflowRow, 'index' | 'key' | 'source' | 'line'>;

const levels = { error: 'error', warning: 'warning', info: 'note' } as const;

function resultOf({ index, key, source, line }: FindingOwner, finding: SarifFinding): object {
  const { code, severity, message, at, column, subject = at } = finding;
  // In a JSONL file the whole workflow is on one line.
  const startLine = line ?? finding.line;
  const region = { startLine, ...(column !== undefined && { startColumn: column }) };
  const physicalLocation = {
    artifactLocation: { uri: relativeUri(source) },
    ...(startLine !== undefined && { region }),
  };
  const logicalLocations = [{ fullyQualifiedName: at, kind: 'value' }];
  // The same in every run, whatever the message and the line are.
  const fingerprint = hash('sha256', `${key}\0${code}\0${subject}`);
  return {
    ruleId: code,
    level: levels[severity],
    message: plainMessage(message),
    locations: [{ physicalLocation, ...(at !== '' && { logicalLocations }) }],
    partialFingerprints: { 'squadc/v1': fingerprint },
    properties: { index, key },
  };
}

/** The path as a relative reference without a scheme, a host, a query or `..`. */
function relativeUri(path: string): string {
  const segments = path.split('/').filter((segment) => !/^\.{0,2}$/.test(segment));
  // A lone surrogate cannot be encoded.
  const encoded = segments.map((segment) => encodeURIComponent(segment.toWellFormed()));
  return encoded.join('/').replace(/[!'()*]/g, (sign) => {
    return `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;
  });
}

/** A message that is shown as it is: `{` would begin a placeholder, and `](` a link. */
function plainMessage(text: string): { readonly text: string } {
  const literal = text.replaceAll('{', '{{').replaceAll('}', '}}').replaceAll('](', '] (');
  return { text: literal.split('\n').map(escapeControls).join('\n') };
}

/** A code of another version of squadc has only its id. */
function ruleOf(id: string): object {
  const explained = explain(id);
  if (explained === null) return { id };
  const { title, why, help, severity = 'warning' } = explained;
  return {
    id,
    shortDescription: plainMessage(title),
    ...(why !== undefined && { fullDescription: plainMessage(why) }),
    help: plainMessage(help),
    defaultConfiguration: { level: levels[severity] },
  };
}

/**
 * A finding about a schema, and how one is made.
 *
 * Invariants: texts of the schema stand in a message short, in quotes and escaped, so that they can
 * neither flood nor steer what shows it.
 */
import { catalogue, type FindingCode, type Severity, type SubjectOf } from './catalogue.js';

export interface ExtractionFinding {
  readonly code: FindingCode;
  readonly severity: Severity;
  readonly message: string;
  /** JSON Pointer of the place in the schema; the empty text is all of it. */
  readonly at: string;
}

/** Reports one finding. */
export type Find = <Code extends FindingCode>(
  code: Code,
  at: string,
  ...subject: SubjectOf<Code>
) => void;

const longest = 60;

/** What could steer a terminal or reorder a line; JSON escapes only controls. */
const unseen = /[\p{C}\p{Zl}\p{Zp}]/gu;

export function findingsInto(findings: ExtractionFinding[]): Find {
  return (code, at, ...[subject]) => {
    const [severity, sentence] = catalogue[code];
    const message = subject === undefined ? sentence : sentence.replace('%', () => quote(subject));
    findings.push({ code, severity, message, at });
  };
}

/** The pointer of a member of the value at `base`. */
export function child(base: string, key: string | number): string {
  return `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

function quote(text: string): string {
  const shown = text.length > longest ? `${text.slice(0, longest)}…` : text;
  return JSON.stringify(shown).replace(unseen, escaped);
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}

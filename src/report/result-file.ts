/** `result.json`: what is kept of a compiled workflow, with tokens in the place of its secrets. */
import { hidden, hideInSentences, hideTexts, maskSecrets } from '../compiler/ir/secrets.js';
import { type Diagnostic, type Json, locateAll, type PlacedDiagnostic } from '../index.js';
import type { BoundResult } from '../serve/compile-bound.js';
import { assess } from './assess.js';
import type { AskedQuestion, ResultFile } from './model.js';

/** A workflow and its result. */
export interface Compiled
  extends Pick<ResultFile, 'squadc' | 'key' | 'source' | 'name' | 'dialect' | 'options'>,
    Pick<ResultFile, 'answers' | 'policies'> {
  readonly text: string;
  readonly workflow: Json;
  readonly result: Omit<BoundResult, 'diagnostics'>;
  /** From the reader, the answers and the compiler. */
  readonly diagnostics: readonly (Diagnostic | PlacedDiagnostic)[];
  readonly questions: readonly AskedQuestion[];
  /** If given, the status is `failed`. */
  readonly failure?: ResultFile['failure'];
}

export function resultFileOf(compiled: Compiled): ResultFile {
  const { squadc, key, source, name, text, dialect, failure, questions, policies } = compiled;
  const { checklist, ledger, reads, sourceMap, stats, toolBindings } = compiled.result;
  const status = failure ? 'failed' : compiled.result.status;
  const diagnostics = placed(text, compiled.diagnostics);
  const { options, answers, workflow } = compiled;
  const draft = compiled.result.draft as Json;
  const { tokenized, texts } = tokenize({ options, answers, policies, draft, workflow });
  const file: ResultFile = {
    ...{ squadc, key, source, name: hideTexts(name, texts), status },
    ...(failure && { failure }),
    ...{ dialect, options, answers, policies, questions, diagnostics },
    ...{ checklist, ledger, reads, sourceMap, stats },
    ...(toolBindings && { toolBindings }),
    ...{ draft, assessment: assess({ status, stats, questions, diagnostics, ledger }), workflow },
  };
  return { ...hideInSentences(file, texts), ...tokenized };
}

function placed(text: string, diagnostics: readonly (Diagnostic | PlacedDiagnostic)[]) {
  const open = diagnostics.filter((each) => each.in === undefined && !('line' in each));
  const places = placesIn(
    text,
    open.map(({ at }) => at),
  );
  return diagnostics.map((diagnostic) => {
    const { code, severity, message, at, in: part, related, help } = diagnostic;
    const plain = { code, severity, message, at, ...(part && { in: part }), related, help };
    const place = 'line' in diagnostic ? diagnostic : part === undefined ? places.get(at) : null;
    return place ? { ...plain, line: place.line, column: place.column } : plain;
  });
}

/** Does not read the text if no place is wanted. */
export function placesIn(text: string, places: readonly string[]): ReturnType<typeof locateAll> {
  return places.length === 0 ? new Map() : locateAll(text, new Set(places));
}

const token = /squadc-secret-(\d{1,9})/g;

/** Returns true if a token stands somewhere in the document. */
export function isTokenized(document: unknown): boolean {
  return JSON.stringify(document ?? null).search(token) >= 0;
}

/**
 * The document with a token in the place of each secret, so that it compiles like the document.
 * Equal secrets have equal tokens, and tokens that stand there stay. `texts` as in `maskSecrets`.
 */
export function tokenize<Document>(document: Document) {
  const standing = JSON.stringify(document ?? null).matchAll(token);
  let last = 0;
  for (const [, number] of standing) last = Math.max(last, Number(number));
  const tokens = new Map<string, string>();
  const { masked, texts } = maskSecrets(document, (secret) => {
    if (isTokenized(secret) || secret.includes(hidden)) return secret;
    const own = tokens.get(secret) ?? `squadc-secret-${last + tokens.size + 1}`;
    tokens.set(secret, own);
    return own;
  });
  return { tokenized: hideTexts(masked, texts, (secret) => tokens.get(secret) ?? secret), texts };
}

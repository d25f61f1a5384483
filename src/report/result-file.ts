/** `result.json`: what is kept of a compiled workflow, with tokens in the place of its secrets. */
import { hideInSentences, hideTexts } from '../compiler/ir/secrets.js';
import { type Diagnostic, type Json, locateAll, type PlacedDiagnostic } from '../index.js';
import type { BoundResult } from '../serve/compile-bound.js';
import { assess } from './assess.js';
import type { AskedQuestion, ResultFile } from './model.js';
import { tokenize } from './tokens.js';

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

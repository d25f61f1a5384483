/** Outputs of runs: as if a document held nothing of what the configuration asks for. */
import { isObject, type OpenObject } from '../text/json.js';
import type { Content } from './call.js';
import type { RunVerb, Store } from './documents-state.js';

/** The output of a run. Editing stores a copy of the file. */
export function makeOutput(
  verb: RunVerb,
  { schema, classifications, splitClassifications }: OpenObject,
  fileId: string,
  file: Content,
  store: Store,
): object {
  if (verb === 'extract') {
    const { properties } = isObject(schema) ? schema : {};
    const found = Object.keys(Object(properties)).map((name) => [name, null]);
    return { value: Object.fromEntries(found), metadata: {} };
  }
  if (verb === 'classify') return { ...firstClass(classifications), confidence: 0.97 };
  if (verb === 'split') {
    const { id: classificationId, type } = firstClass(splitClassifications);
    const whole = { startPage: 1, endPage: 1, fileId };
    return { splits: [{ id: `${fileId}-1`, type, classificationId, ...whole }] };
  }
  if (verb === 'parse') {
    const metadata = { pageRange: { start: 1, end: 1 } };
    return { chunks: [{ object: 'chunk', type: 'page', content: textOf(file), metadata }] };
  }
  const { id, presignedUrl } = store.addFile(file);
  return { editedFile: { id, presignedUrl }, filledValues: {} };
}

function firstClass(classes: unknown): { readonly id: string; readonly type: string } {
  const first = Array.isArray(classes) ? classes.find(isObject) : undefined;
  const type = String(first?.type ?? 'other');
  return { id: String(first?.id ?? type), type };
}

/** The text of a file, or its name if it is empty. */
export function textOf({ name, content }: Content): string {
  return content.byteLength > 0 ? content.toString() : name;
}

/** Outputs of runs: made up, but in the form that the configuration asks for. */
import { type Content, isObject, type JsonObject } from './call.js';
import type { RunVerb, Store } from './documents-state.js';

/** The output of a run. Editing stores a copy of the file. */
export function makeOutput(
  verb: RunVerb,
  { schema, classifications, splitClassifications }: JsonObject,
  fileId: string,
  file: Content,
  store: Store,
): object {
  if (verb === 'extract') return { value: isObject(schema) ? sample(schema) : {}, metadata: {} };
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

function sample(schema: unknown): unknown {
  const { type, properties, items, enum: values, ...keywords } = isObject(schema) ? schema : {};
  if (isObject(properties)) {
    const members = Object.entries(properties).map(([name, each]) => [name, sample(each)]);
    return Object.fromEntries(members);
  }
  if (isObject(items)) return [sample(items)];
  const choice = Array.isArray(values) ? values.find((each) => each !== null) : undefined;
  if (choice !== undefined) return choice;
  const types = [type].flat();
  if (types.includes('number')) return 12.5;
  if (types.includes('integer')) return 7;
  if (types.includes('boolean')) return true;
  // `service:type`, with any vendor's prefix.
  const isDate = Object.entries(keywords).some(
    ([name, value]) => name.endsWith(':type') && value === 'date',
  );
  return isDate ? '2026-01-31' : 'Sample';
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

/** Outputs of runs: made up, but in the form that the configuration asks for. */
import { type Content, isObject, type JsonObject } from './call.js';
import type { RunVerb } from './runs.js';
import type { Resource } from './store.js';

/** The output of a run. Editing stores a copy of the file. */
export function makeOutput(
  verb: RunVerb,
  { schema, classifications, splitClassifications }: JsonObject,
  fileId: string,
  file: Content,
  addFile: (file: Content) => Resource,
): object {
  if (verb === 'extract') return extractOutput(schema);
  if (verb === 'classify')
    return { ...firstClass(classifications), confidence: 0.97, insights: [] };
  if (verb === 'split') {
    const { id: classificationId, type } = firstClass(splitClassifications);
    const whole = { startPage: 1, endPage: 1, fileId };
    return { splits: [{ id: `${fileId}-1`, type, classificationId, ...whole }] };
  }
  if (verb === 'parse') {
    const metadata = { pageRange: { start: 1, end: 1 } };
    return { chunks: [{ object: 'chunk', type: 'page', content: textOf(file), metadata }] };
  }
  const { id, presignedUrl } = addFile(file);
  return { editedFile: { id, presignedUrl }, filledValues: {} };
}

/** Sample data for the schema, with confidence and citations by path. */
function extractOutput(schema: unknown): object {
  const metadata: [path: string, object][] = [];
  const sample = (part: unknown, path: string): unknown => {
    const { type, properties, items, ...rest } = isObject(part) ? part : {};
    if (isObject(properties)) {
      const prefix = path === '' ? '' : `${path}.`;
      const entries = Object.entries(properties);
      return Object.fromEntries(entries.map(([name, each]) => [name, sample(each, prefix + name)]));
    }
    if (type === 'array' || isObject(items)) return [sample(items, `${path}[0]`)];
    const value = scalar([type].flat(), rest);
    const citations = [{ page: 1, referenceText: String(value) }];
    metadata.push([path, { ocrConfidence: 0.99, logprobsConfidence: 0.98, citations }]);
    return value;
  };
  const value = isObject(schema) ? sample(schema, '') : {};
  return { value, metadata: Object.fromEntries(metadata) };
}

function scalar(types: readonly unknown[], { enum: values, ...keywords }: JsonObject): unknown {
  const first = Array.isArray(values) ? values.find((each) => each !== null) : undefined;
  if (first !== undefined) return first;
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

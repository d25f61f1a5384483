/** What a run makes of a file: made up, but in the form that its configuration asks for. */
import { isObject, type JsonObject } from './call.js';

/** Data in the shape of the schema, with confidence and citations by path. */
export function extractOutput({ schema }: JsonObject): object {
  const metadata: [path: string, object][] = [];
  const sample = (part: unknown, path: string): unknown => {
    const { type, properties, items, ...rest } = isObject(part) ? part : {};
    if (isObject(properties)) {
      const entries = Object.entries(properties).map(([name, each]) => [
        name,
        sample(each, path === '' ? name : `${path}.${name}`),
      ]);
      return Object.fromEntries(entries);
    }
    if (type === 'array' || isObject(items)) return [sample(items, `${path}[0]`)];
    const value = sampleOf([type].flat(), rest);
    const citations = [{ page: 1, referenceText: String(value) }];
    metadata.push([path, { ocrConfidence: 0.99, logprobsConfidence: 0.98, citations }]);
    return value;
  };
  const value = isObject(schema) ? sample(schema, '') : {};
  return { value, metadata: Object.fromEntries(metadata) };
}

function sampleOf(types: readonly unknown[], { enum: values, ...keywords }: JsonObject): unknown {
  const first = Array.isArray(values) ? values.find((each) => each !== null) : undefined;
  if (first !== undefined) return first;
  if (types.includes('number')) return 12.5;
  if (types.includes('integer')) return 7;
  if (types.includes('boolean')) return true;
  // `service:type`, under the prefix of any vendor.
  const isDate = Object.keys(keywords).some(
    (name) => name.endsWith(':type') && keywords[name] === 'date',
  );
  return isDate ? '2026-01-31' : 'Sample';
}

/** The first class that the configuration knows. */
export function classifyOutput({ classifications }: JsonObject): object {
  return { ...firstClass(classifications), confidence: 0.97, insights: [] };
}

/** One part, which is the whole file. */
export function splitOutput({ splitClassifications }: JsonObject, fileId: string): object {
  const { id: classificationId, type } = firstClass(splitClassifications);
  const pages = { startPage: 1, endPage: 1 };
  const part = { id: `${fileId}-1`, type, classificationId, observation: '', identifier: '' };
  return { splits: [{ ...part, ...pages, fileId }] };
}

function firstClass(classes: unknown): { readonly id: string; readonly type: string } {
  const first = Array.isArray(classes) ? classes.find(isObject) : undefined;
  const type = String(first?.type ?? 'other');
  return { id: String(first?.id ?? type), type };
}

/** One chunk, which is the whole text. */
export function parseOutput(content: string): object {
  const metadata = { pageRange: { start: 1, end: 1 } };
  return { chunks: [{ object: 'chunk', type: 'page', content, metadata, blocks: [] }] };
}

/** What a run makes of a file: made up, but in the form that its configuration asks for. */
import { isObject, type JsonObject } from '../call.js';
import { type StoredFile, textOf } from './files.js';

/** Deeper than any schema may be; a hostile one ends here. */
const deepest = 16;

interface Leaf {
  readonly path: string;
  readonly value: unknown;
}

/** Data in the shape of the schema, with confidence and citations by path. */
export function extractOutput({ schema, fields }: JsonObject): object {
  if (Array.isArray(fields)) return legacyOutput(fields.filter(isObject));
  const leaves: Leaf[] = [];
  const value = isObject(schema) ? sample(schema, '', 0, leaves) : {};
  const metadata = Object.fromEntries(
    leaves.map((leaf) => [
      leaf.path,
      {
        ocrConfidence: 0.99,
        logprobsConfidence: 0.98,
        citations: [{ page: 1, referenceText: String(leaf.value) }],
      },
    ]),
  );
  return { value, metadata };
}

/** Configurations with `fields` mix data and metadata in each field. */
function legacyOutput(fields: readonly JsonObject[]): object {
  return Object.fromEntries(
    fields.map((field) => [
      String(field.name ?? field.id),
      {
        id: field.id ?? null,
        name: field.name ?? null,
        type: field.type ?? 'string',
        value: `Sample ${String(field.name ?? field.id)}`,
        confidence: 0.98,
        citations: [],
      },
    ]),
  );
}

function sample(schema: JsonObject, path: string, depth: number, leaves: Leaf[]): unknown {
  if (depth > deepest) return null;
  const { type, properties, items } = schema;
  if (isObject(properties)) {
    return Object.fromEntries(
      Object.entries(properties).map(([name, each]) => [
        name,
        sample(
          isObject(each) ? each : {},
          path === '' ? name : `${path}.${name}`,
          depth + 1,
          leaves,
        ),
      ]),
    );
  }
  if (type === 'array' || isObject(items)) {
    return [sample(isObject(items) ? items : {}, `${path}[0]`, depth + 1, leaves)];
  }
  const value = sampleOf(schema);
  leaves.push({ path, value });
  return value;
}

function sampleOf({ type, enum: values, ...rest }: JsonObject): unknown {
  const first = Array.isArray(values) ? values.find((each) => each !== null) : undefined;
  if (first !== undefined) return first;
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  if (types.includes('number')) return 12.5;
  if (types.includes('integer')) return 7;
  if (types.includes('boolean')) return true;
  const isDate = Object.entries(rest).some(
    ([name, each]) => /:type$/.test(name) && each === 'date',
  );
  return isDate ? '2026-01-31' : 'Sample';
}

/** The first class that the configuration knows. */
export function classifyOutput({ classifications }: JsonObject): object {
  const first = Array.isArray(classifications) ? classifications.find(isObject) : undefined;
  const type = String(first?.type ?? 'other');
  return { id: String(first?.id ?? type), type, confidence: 0.97, insights: [] };
}

/** One part, which is the whole file. */
export function splitOutput({ splitClassifications }: JsonObject, file: StoredFile): object {
  const known = Array.isArray(splitClassifications) ? splitClassifications : [];
  const first = known.find(isObject);
  const type = String(first?.type ?? 'other');
  return {
    splits: [
      {
        id: `${file.id}-1`,
        type,
        classificationId: String(first?.id ?? type),
        observation: '',
        identifier: '',
        startPage: 1,
        endPage: 1,
        fileId: file.id,
      },
    ],
  };
}

/** One chunk, which is the whole text. */
export function parseOutput(file: StoredFile): object {
  return {
    chunks: [
      {
        object: 'chunk',
        type: 'page',
        content: textOf(file),
        metadata: { pageRange: { start: 1, end: 1 } },
        blocks: [],
      },
    ],
  };
}

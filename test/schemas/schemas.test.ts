/** The published schemas: their own form, and the faults that they find in documents. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { describe, expect, it } from 'vitest';
import { expectedFiles, listFolders, readCase } from '../golden/cases.js';
import { drop, put, schemaDocuments, schemaFaults, valueAt } from '../json.js';

const schemas = Object.entries(schemaDocuments).map(([name, document]) => ({ name, document }));

describe('published schemas', () => {
  it.each(schemas)('$name is valid draft 2020-12, and describes itself', ({ name, document }) => {
    const ajv = new Ajv2020({ strict: true, schemas: schemas.map((it) => it.document) });
    expect(document.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(ajv.validateSchema(document), JSON.stringify(ajv.errors)).toBe(true);
    expect(document.$id).toBe(`https://squadc.dev/schemas/${name}.schema.json`);
    expect(document.title).toMatch(/^[A-Z]/u);
    expect(document.description).toMatch(/^[A-Z].+\.$/su);
    expect(ajv.getSchema(`${document['$id']}`)).toBeTypeOf('function');
    const text = JSON.stringify(schemas.map((it) => it.document));
    for (const part of Object.keys(document.$defs ?? {}))
      expect(text).toContain(`#/$defs/${part}"`);
  });
});

/** By schema, the documents of the golden cases that are valid by it. */
const documents: Record<string, unknown[]> = {
  ...{ workflow: [], squad: [], 'vapi-squad': [], answers: [], 'answer-value': [], result: [] },
};
const keep = (schema: string, document: unknown) =>
  schemaFaults(schema, document).length === 0 && documents[schema]!.push(document);
for (const name of listFolders()) {
  const each = readCase(name) ?? expect.fail(name);
  const { result } = expectedFiles(each);
  if (result === undefined || result.status === 'invalid') continue;
  const { answers } = each.options;
  keep('workflow', each.reading.workflow);
  keep('result', result);
  keep('squad', result.output);
  keep('vapi-squad', result.output);
  keep('answers', answers);
  for (const [id, given] of Object.entries(answers?.answers ?? {})) {
    keep('answer-value', { kind: id.replace(/:.*/, ''), ...given });
  }
}

function* placesIn(value: unknown, at = ''): Iterable<string> {
  yield at;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, each] of Object.entries(value)) yield* placesIn(each, `${at}/${key}`);
}

/** The first place in the documents of a schema with this ending; `*` is any key. */
function find(schema: string, path: string): { document: object; at: string } {
  const ending = new RegExp(`${path.replaceAll('*', '[^/]+')}$`);
  for (const document of documents[schema]!) {
    const at = [...placesIn(document)].find((it) => ending.test(it));
    if (at !== undefined) return { document: document as object, at };
  }
  return expect.fail(`no golden case has ${path}`);
}

/** Schema, place and new value; `+` adds a key, `-` removes the value. */
const changes = (rows: string) =>
  rows
    .trim()
    .split('\n')
    .map((row) => {
      const [, schema, path, value] = /^\s*(\S+) (\S+) (.*)$/.exec(row)!;
      return { row: row.trim(), schema: schema as string, path, value };
    })
    .map(({ path = '', value = '', ...others }) => {
      const [parent = '', added] = path.split('+');
      const { document, at } = find(others.schema, parent);
      const place = added === undefined ? at : `${at}/${added}`;
      const changed =
        value === '-'
          ? drop(document as never, place)
          : put(document as never, place, JSON.parse(value));
      const isThere = valueAt(document, place) !== undefined && value !== '-';
      return { ...others, changed, at: isThere ? place : place.replace(/\/[^/]*$/, '') };
    });

// types.test.ts compares the schemas of answers and results with the types.
describe('a fault is reported at its place', () => {
  const rows = `
    workflow /nodes []
    workflow /name 7
    workflow /nodes/*/id ""
    workflow /nodes/*/id -
    workflow /nodes/*/type "say"
    workflow /extractVariables/*/type "date"
    workflow /isGlobal "yes"
    workflow /nodes/*/method "FETCH"
    workflow /timeoutSeconds 0
    workflow /responseVariables/*/path -
    workflow /edges/*/to -
    workflow /edges/*/condition {"type":"ai"}
    squad +more 1
    squad /squad+membersOverrides {}
    squad /members []
    squad /members/*+assistantDestinations []
    squad /members/*/assistant -
    squad /assistant/name "${'a'.repeat(41)}"
    squad /assistant/name -
    squad /model/messages []
    squad /messages/*/role "owner"
    squad /tools/0/type "handover"
    squad /tools/0/type -
    squad /tools/0+function {}
    squad /tools/0/destinations []
    squad /destinations/*/type "squad"
    squad /assistantName -
    squad /destinations/*+assistantId "both"
    squad /destinations/*/description ""
    squad /destinations/*+variableExtractionPlans {}
    squad /contextEngineeringPlan -
    squad /contextEngineeringPlan/type "some"
    squad /contextEngineeringPlan+maxMessages 4
    squad /schema/type "array"
    squad /schema/required -
    squad /schema+additionalProperties false
    squad /schema/properties/*/type ["string","null"]
    squad /schema/properties/*+default "x"
    squad /schema/properties/*/description -
    squad /destinations/*/number 7
    squad /destinations/*/sipUri -
    squad /tools/*/method "HEAD"
    squad /tools/*+parameters {}
    squad /tools/*/variableExtractionPlan []
    squad /aliases/*/key "1st"
    squad /aliases/*/key "${'a'.repeat(41)}"
    squad /function/name "a b"
    squad /tools/0 {"type":"sms","name":"a b"}
    squad /model+toolIds ["a","a"]
    vapi-squad +memberOverrides {}
    vapi-squad /assistant/name "${'a'.repeat(41)}"
    vapi-squad /tools/*/function/name "a b"
    vapi-squad /tools/0+message "x"
    vapi-squad /tools/0+reason "x"
    vapi-squad /conditions/*/type "js"
    vapi-squad /conditions/*/liquid -
    vapi-squad /transferPlan/mode -
    vapi-squad /tools/*/parameters/*/value -
    vapi-squad /tools/*/headers/properties/*+default "*/*"
    vapi-squad /firstMessageMode "assistant-waits"
    vapi-squad /function/parameters/properties -
    answers /answers/*+values 1
    answer-value /kind "missing-luck"
    answer-value /choice "one"
    answer-value /value -
    answer-value /secret "sk-123"
    answer-value +more 1
    result +more 1
    result /questions/*/at/* "nodes/0"
    result /related/* "/~2"
    result /checklist/*/item 10
    result /origin+option "both"
    result /stats/nodes -1
  `;
  it.each(changes(rows))('$row', ({ schema, changed, at }) => {
    const places = schemaFaults(schema, changed).map(({ instancePath }) => instancePath);
    // A tool of another kind has its fault deeper inside.
    expect(
      places.some((it) => it === at || it.startsWith(`${at}/`)),
      places.join(),
    ).toBe(true);
  });
});

describe('open parts accept additions', () => {
  const nested = {
    type: 'array',
    description: 'All guests.',
    items: { type: 'object', description: 'A guest.', properties: {}, required: [] },
  };
  const rows = `
    workflow /edges -
    workflow /name -
    workflow /nodes/*+colour "red"
    squad /assistant+hooks []
    squad /tools/0 {"type":"endCall","messages":[]}
    squad /schema/properties/* ${JSON.stringify(nested)}
    squad /variableExtractionPlan -
    vapi-squad /model+toolIds ["a","b"]
    vapi-squad /members/0 {"assistantId":"a"}
    vapi-squad /transferPlan {"mode":"blind-transfer","sipVerb":{},"timeout":60}
    answers /answers -
  `;
  it.each(changes(rows))('$row', ({ schema, changed }) => {
    expect(schemaFaults(schema, changed)).toEqual([]);
  });
});

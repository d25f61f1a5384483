/** Requests that ask for something else, and responses that are read otherwise. */
import { child, type JsonPointer } from '../../compiler/ir/ids.js';
import { isJsonObject, type Json, type JsonObject } from '../../compiler/ir/json.js';
import { drop, put } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { quote, reword } from './rewording.js';
import { listOf, objectOf, type SquadView, type ToolView, textOf } from './squad-view.js';
import { nameOf, workingTools } from './tool-mutants.js';

export const requestMutants: readonly Operator[] = [
  changed('url-changed', 'url', (url, word) => `${textOf(url)}/${word}`),
  changed('method-changed', 'method', (method) => (method === 'GET' ? 'POST' : 'GET')),
  changed('timeout-changed', 'timeoutSeconds', (seconds) => (seconds === 1 ? 2 : 1)),
  // The platform's own time-out is 20 seconds.
  lost('timeout-dropped', 'timeoutSeconds', (seconds) => seconds !== 20),
  changed('credential-changed', 'credentialId', (id, word) => `${textOf(id)}${word}`),
  lost('credential-dropped', 'credentialId'),
  lost('headers-dropped', 'headers', saysSomething),
  lost('body-dropped', 'body', saysSomething),

  operator('header-changed', 5, 'A header has another value.', function* (view) {
    for (const { tool, at, value } of headers(view)) {
      const squad = put(view.squad, at, `${textOf(value)}${view.source.word}`);
      yield { squad, at, text: nameOf(tool) };
    }
  }),

  operator('body-text-changed', 5, 'A text of the body is another.', function* (view) {
    for (const tool of requests(view)) {
      for (const { at, text } of sourceTexts(view, tool.value['body'], child(tool.at, 'body'))) {
        const other = reword(text, view.source.word);
        if (other !== null) yield { squad: put(view.squad, at, other), at, text: quote(other) };
      }
    }
  }),

  operator('body-property-dropped', 5, 'The body has one property less.', function* (view) {
    for (const tool of requests(view)) {
      const { properties, required } = objectOf(tool.value['body']);
      for (const name of Object.keys(objectOf(properties))) {
        const at = child(`${tool.at}/body/properties`, name);
        const half = drop(view.squad, at);
        const left = listOf(required).filter((it) => it !== name);
        const squad = required === undefined ? half : put(half, `${tool.at}/body/required`, left);
        yield { squad, at, text: quote(name) };
      }
    }
  }),

  operator('fixed-argument-changed', 5, 'A fixed argument has another value.', function* (view) {
    for (const tool of workingTools(view)) {
      for (const [index] of listOf(tool.value['parameters']).entries()) {
        const at = `${tool.at}/parameters/${index}/value`;
        yield { squad: put(view.squad, at, view.source.word), at, text: nameOf(tool) };
      }
    }
  }),

  operator('fixed-argument-dropped', 5, 'A fixed argument is not sent.', function* (view) {
    for (const tool of workingTools(view)) {
      const fixed = listOf(tool.value['parameters']);
      for (const index of fixed.keys()) {
        const at = fixed.length === 1 ? `${tool.at}/parameters` : `${tool.at}/parameters/${index}`;
        yield { squad: drop(view.squad, at), at, text: nameOf(tool) };
      }
    }
  }),

  operator('server-changed', 5, 'Somebody else answers the calls of a tool.', function* (view) {
    for (const { at, tool, server } of servers(view)) {
      const squad = put(view.squad, `${at}/url`, `${textOf(server['url'])}/${view.source.word}`);
      yield { squad, at, text: nameOf(tool) };
      yield { squad: drop(view.squad, at), at, text: nameOf(tool) };
    }
  }),

  operator('parameter-added', 5, 'The model may give a tool one value more.', function* (view) {
    for (const { tool } of servers(view)) {
      const at = child(`${tool.at}/function/parameters/properties`, view.source.word);
      yield { squad: put(view.squad, at, { type: 'string' }), at, text: nameOf(tool) };
    }
  }),

  operator('parameter-dropped', 5, 'The model may give a tool one value less.', function* (view) {
    for (const { tool } of servers(view)) {
      const { properties } = objectOf(objectOf(tool.value['function'])['parameters']);
      for (const name of Object.keys(objectOf(properties))) {
        const at = child(`${tool.at}/function/parameters/properties`, name);
        yield { squad: drop(view.squad, at), at, text: quote(name) };
      }
    }
  }),

  operator('response-path-changed', 5, 'A variable is read from elsewhere.', function* (view) {
    for (const { at, alias } of aliases(view)) {
      const path = textOf(alias['value']).replace('$', `$.${view.source.word}`);
      // The path into the response of a tool that an answer asked for is nobody's but the tool's.
      if (!view.source.responsePaths.has(pathOf(textOf(alias['value'])))) continue;
      yield { squad: put(view.squad, `${at}/value`, path), at, text: textOf(alias['key']) };
    }
  }),

  operator('response-variable-dropped', 5, 'A response sets one variable less.', function* (view) {
    for (const { at, alias, tool } of aliases(view)) {
      const isOnly = aliases(view).filter((it) => it.tool === tool).length === 1;
      const place = isOnly ? `${tool.at}/variableExtractionPlan` : at;
      yield { squad: drop(view.squad, place), at, text: textOf(alias['key']) };
    }
  }),

  operator('response-variable-renamed', 5, 'A response sets another variable.', function* (view) {
    for (const { at, alias } of aliases(view)) {
      const squad = put(view.squad, `${at}/key`, view.source.word);
      yield { squad, at, text: textOf(alias['key']) };
    }
  }),

  operator('alias-key-illegal', 8, 'The key of an alias is no legal name.', function* (view) {
    for (const { at, alias } of aliases(view)) {
      const key = `1 ${textOf(alias['key'])}`;
      yield { squad: put(view.squad, `${at}/key`, key), at, text: quote(key) };
    }
  }),
];

/** A field of a request with another value. */
function changed(
  name: string,
  field: string,
  change: (value: Json, word: string) => Json,
): Operator {
  return operator(name, 5, `The ${field} of a request is another.`, function* (view) {
    for (const { at, value } of requests(view)) {
      const own = value[field];
      if (own === undefined) continue;
      const place = `${at}/${field}`;
      const other = change(own, view.source.word);
      yield { squad: put(view.squad, place, other), at: place, text: quote(String(other)) };
    }
  });
}

/** A request without a field that it has, where that means something else than the field. */
function lost(name: string, field: string, matters = (_: Json) => true): Operator {
  return operator(name, 5, `A request has no ${field}.`, function* (view) {
    for (const tool of requests(view)) {
      const value = tool.value[field];
      if (value === undefined || !matters(value)) continue;
      const at = `${tool.at}/${field}`;
      yield { squad: drop(view.squad, at), at, text: nameOf(tool) };
    }
  });
}

/** Whether headers or a body have any part; a schema has its properties. */
function saysSomething(value: Json): boolean {
  const { type, properties } = objectOf(value);
  return Object.keys(objectOf(type === 'object' ? properties : value)).length > 0;
}

function requests(view: SquadView): ToolView[] {
  return workingTools(view).filter(({ type }) => type === 'apiRequest');
}

/** Values of headers, as they are or in a schema that allows one text. */
function* headers(view: SquadView) {
  for (const tool of requests(view)) {
    const all = objectOf(tool.value['headers']);
    const properties = all['type'] === 'object' ? all['properties'] : undefined;
    const base = `${tool.at}/headers`;
    for (const [name, value] of Object.entries(isJsonObject(properties) ? properties : all)) {
      if (!isJsonObject(properties)) yield { tool, at: child(base, name), value };
      else {
        const at = `${child(`${base}/properties`, name)}/enum/0`;
        const [only] = listOf(objectOf(value)['enum']);
        if (only !== undefined) yield { tool, at, value: only };
      }
    }
  }
}

/** Texts of a value that stand in the source too, in no order that matters. */
function sourceTexts({ source }: SquadView, value: Json | undefined, at: JsonPointer) {
  const found: { at: JsonPointer; text: string }[] = [];
  const pending: { value: Json | undefined; at: JsonPointer; key: string }[] = [
    { value, at, key: '' },
  ];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: part, at: place, key } = next;
    // The words of a schema are no text: a changed type is another kind of damage.
    if (typeof part === 'string' && key !== 'type' && source.has(part)) {
      found.push({ at: place, text: part });
    }
    if (typeof part !== 'object' || part === null) continue;
    for (const [name, inner] of Object.entries(part as JsonObject)) {
      pending.push({ value: inner, at: child(place, name), key: name });
    }
  }
  return found;
}

/** `data.place` of `{{ $.data.place }}` */
function pathOf(template: string): string {
  return template.replaceAll(/^\{\{ *\$\.?|(?: *\}\})$/g, '');
}

/** Tools of operations whose server the options name; nobody may answer in its place. */
function servers(view: SquadView) {
  return workingTools(view).flatMap((tool) => {
    const { type, server } = tool.value;
    if (type !== 'function' || !isJsonObject(server)) return [];
    return [{ tool, server, at: child(tool.at, 'server') }];
  });
}

function aliases(view: SquadView) {
  return workingTools(view).flatMap((tool) => {
    const plan = objectOf(tool.value['variableExtractionPlan']);
    return listOf(plan['aliases']).map((alias, index) => ({
      tool,
      alias: objectOf(alias),
      at: `${tool.at}/variableExtractionPlan/aliases/${index}`,
    }));
  });
}

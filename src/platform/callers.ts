/**
 * Finds the callers in a text: where it starts a call with a workflow, and where it contains the id
 * of a workflow that a squad replaces.
 *
 * In: any text, in any language. Out: places in order. Nothing is parsed. A key next to an id of the
 * map is rewritten, together with the overrides beside it; everything else is left to a human, so
 * no occurrence is missed, not even in a comment or a constant.
 *
 *     workflowId: 'abc'    "workflowId": "abc"    workflow_id="abc"    \"workflowId\":\"abc\"
 *     'workflowId' => 'abc'    .workflowId("abc")    WorkflowId: String("abc")    ?workflowId=abc
 *     body["workflowId"] = "abc"    set("workflowId", "abc")    "workflowId", "value": "abc"
 */
import { type Brackets, type Word, wordsOf } from './brackets.js';
import type { Edit } from './patch.js';

/** Squad ids by the workflow ids that they replace. */
export type SquadIds = ReadonlyMap<string, string>;

const order =
  'in start(assistant, assistantOverrides, squad), the squad is the third argument and its ' +
  'overrides are the second';
const unless = 'If it is a workflow of another service, leave it.';

/** Why a place is left to a human: what is wrong, and what to do. `@` is the squad's id. */
const advice = {
  start: [
    'start takes a squad and its overrides in other places than a workflow',
    `Pass @ as a squad: ${order}: start(null, overrides, squadId).`,
  ],
  name: [
    'a name for the id of a workflow, without a literal id that can be replaced',
    `Give it @, and send that as squadId; ${order}. ${unless}`,
  ],
  id: [
    'the id of a workflow that a squad replaces',
    `Replace it with @, and send that as squadId; ${order}.`,
  ],
  'not-in-map': [
    'no --map or --journal names a squad for this workflow',
    `Add <workflowId>=<squadId> to --map and run again, or change the place by hand. ${unless}`,
  ],
  clash: [
    'there already is a squad next to it',
    'Keep one squadId and one squadOverrides; remove workflowId and workflowOverrides.',
  ],
  overrides: [
    'the id and the overrides of a workflow have to be moved together',
    `Send @ as squadId and the overrides as squadOverrides; ${order}. ${unless}`,
  ],
  inline: [
    'a workflow instead of its id',
    `Send a squad: squad or squadId, and squadOverrides; ${order}. ${unless}`,
  ],
  artifact: [
    'a call with a squad has no nodes, and does not report captured values here',
    'Read artifact.structuredOutputs; artifactPlan.structuredOutputs says what to extract.',
  ],
  endpoint: ['the platform has no workflows any more', 'Request /squad with @ instead.'],
} as const;

export type ByHand = keyof typeof advice;

/** What is wrong with a place, and what to do. */
export function adviceFor({ why, squadId }: Found): [what: string, help: string] {
  const [what, help] = advice[why ?? 'name'];
  const squad = squadId === undefined ? "the squad's id" : `the squad's id (${squadId})`;
  return [what, help.replace('@', () => squad)];
}

/** A place; line and column count from 1, columns in UTF-16 units. */
export interface Found extends Finding {
  readonly line: number;
  readonly column: number;
}

interface Finding {
  /** Null if the place is rewritten. */
  readonly why: ByHand | null;
  readonly edits?: readonly Edit[];
  /** The id found there, and the id of the squad that replaces it. */
  readonly workflowId?: string | undefined;
  readonly squadId?: string | undefined;
}

/** A word or an id in the text, and what is found there. */
interface Place extends Finding {
  readonly start: number;
  readonly word?: Word;
  /** Where the id starts that it names. */
  readonly idStart?: number;
}

/** A text, and what is known of it as a whole. */
interface Source {
  readonly text: string;
  readonly squadIds: SquadIds;
  /** It mentions the platform or a message of it. */
  readonly isOurs: boolean;
  /** It mentions another service instead. */
  readonly isOther: boolean;
  /** Brackets that contain other fields of a call, or a squad. */
  readonly calls: ReadonlySet<Brackets>;
  readonly squads: ReadonlySet<Brackets>;
  /** Keys that are also the name of a variable. */
  readonly variables: ReadonlySet<string>;
}

/** A form in which programs use workflows. The first one that finds something at a word counts. */
type Form = readonly [
  words: RegExp,
  find: (word: Word, source: Source) => Omit<Place, 'start' | 'word'> | null,
];

const when = (why: ByHand, fits: boolean) => (fits ? { why } : null);

const key = /^(?:[wW]orkflowId|workflow_id|WorkflowID)$/;
const overrides = /^(?:[wW]orkflowOverrides|workflow_overrides)$/;

const forms: readonly Form[] = [
  // vapi.start(undefined, undefined, undefined, process.env.VAPI_WORKFLOW_ID)
  [/^start$/, findStart],
  // fetch(`https://api.vapi.ai/workflow/${id}`)
  [/^workflow$/, (word, { text }) => when('endpoint', before(text, word).endsWith('api.vapi.ai/'))],
  // { phoneNumberId, workflow: { nodes, edges } }
  [/^[wW]orkflow$/, (word, source) => when('inline', isInline(word, source))],
  [/^CreateWorkflowD(?:TO|to)$/, () => when('inline', true)],
  // call.artifact?.variableValues, call["artifact"]["nodes"]
  [/^(?:variable_?values|nodes)$/i, (word, source) => when('artifact', isOfArtifact(word, source))],
  [overrides, findOverrides],
  [key, findId],
  // NEXT_PUBLIC_VAPI_WORKFLOW_ID, vapiWorkflowId, x-workflow-id
  [/workflow[-_]?ids?(?![a-z])|[wW]orkflow[-_]?(?:Ids?|ID)(?![a-z])/, findId],
  [/WORKFLOW[-_]?IDS?(?![A-Z])|[vV]api_?[wW]orkflow(?:_?[kK]ey)?$|VAPI_WORKFLOW(?:_KEY)?$/, findId],
];

const wanted = /workflow|squad|^(?:start|nodes|variable_?values|phone_?number_?id|customers?)$/i;

/** Other services with workflows. Ids of a file that mentions one, and not the platform, are theirs. */
const otherService =
  /temporalio|go\.temporal\.io|io\.temporal|api\.github\.com|octokit|github-script|workflow_dispatch|n8n-nodes/i;
const nameOfOther = /(?:^|_)(?:gh|github|n8n|temporal|dify|didit|coze|roboflow|airflow)_?workflow/i;

/** Finds the callers of a text. */
export function findCallers(text: string, squadIds: SquadIds): Found[] {
  const words = wordsOf(text, wanted);
  const isOurs = /vapi|end-of-call-report|assistant-request/i.test(text);
  const source: Source = {
    text,
    squadIds,
    isOurs,
    isOther: !isOurs && otherService.test(text),
    calls: around(words, /^(?:phone_?number_?id|customers?|workflow_?overrides)$/i),
    squads: around(words, /^squad_?(?:id|overrides)$/i),
    variables: new Set(words.filter((word) => isVariable(text, word)).map((word) => word.text)),
  };
  const places: Place[] = [];
  /** Parentheses of calls of start, which say everything about the names in them. */
  const starts = new Set<Brackets | undefined>();
  for (const word of words) {
    if (starts.has(word.inside)) continue;
    for (const [these, find] of forms) {
      const found = these.test(word.text) ? find(word, source) : null;
      if (found === null) continue;
      if (found.why === 'start') starts.add(word.call);
      places.push({ ...found, start: word.start, word });
      break;
    }
  }
  const told = new Set(places.map(({ idStart }) => idStart));
  for (const [workflowId, squadId] of squadIds) {
    for (let at = text.indexOf(workflowId); at !== -1; at = text.indexOf(workflowId, at + 1)) {
      const isWord = !/[\w-]/.test((text[at - 1] ?? ' ') + (text[at + workflowId.length] ?? ' '));
      if (isWord && !told.has(at)) places.push({ start: at, why: 'id', workflowId, squadId });
    }
  }
  return withLines(text, together(places));
}

/** The brackets around the words that match. */
const around = (words: readonly Word[], these: RegExp) =>
  new Set(words.filter(({ text }) => these.test(text)).map(({ inside }) => inside));

/** What stands before or after a word, as far as anything here looks. */
const before = (text: string, { start }: { readonly start: number }) =>
  text.slice(Math.max(0, start - 80), start);
const after = (text: string, { end }: { readonly end: number }) => text.slice(end, end + 400);

/** What can stand between a key and its value: closing quote, closing bracket, and a sign. */
const sign = /^(\\*["'`])?(\])?\s*(:(?![:=])|=>|=(?!=)|\(|,(?:\s*\\*["']value\\*["']\s*:)?)\s*/;

/** Where the value of a word starts, and whether the word is a key that can be renamed. */
function valueAfter(text: string, word: Word, variables: ReadonlySet<string> = new Set()) {
  const [whole, quote = '', bracket, mark] = sign.exec(after(text, word)) ?? [];
  if (whole === undefined || mark === undefined) return null;
  const led = before(text, { start: word.start - quote.length });
  const last = led.trimEnd().at(-1) ?? '';
  const isKeyBy: Readonly<Record<string, () => boolean>> = {
    // Not in a condition: a ? b.workflowId : c
    ':': () => !/[?&|.+=!<]/.test(last),
    '=>': () => quote !== '' || last === ':',
    '(': () => quote === '' && last === '.',
    ',': () => quote !== '',
    '=': () => {
      if (bracket) return true;
      if (last === '.') return !/(?:this|self|cls)[?!]?\.$/.test(led);
      if (/[?&]$|\s(?:-d|-F|--data[\w-]*|--form[\w-]*)[ =]["']?$/.test(led)) return true;
      // An argument or a field, and neither a variable nor a field of a class.
      const isField = word.inside.open === '(' || !/^[a-z]+[A-Z]/.test(word.text);
      return isField && /[({,]/.test(last) && !variables.has(word.text);
    },
  };
  return { end: word.end + whole.length, isKey: isKeyBy[mark === '=>' ? mark : mark[0]!]!() };
}

function isVariable(text: string, word: Word): boolean {
  if (!key.test(word.text) && !overrides.test(word.text)) return false;
  return !/["'`.]$/.test(before(text, word)) && !valueAfter(text, word)?.isKey;
}

/** A literal, in quotes, perhaps as the argument of a function, or bare. */
const literal =
  /^(?:(?:[\w.:]{1,60}\(\s*)?(\\*["'`])([^"'`\\\n]{1,200})\1|([\w.:-]{1,200})(?=([ \t]*(?:#.*)?(?:\r?\n|$)|[&"'`])?))/;

function literalAfter(text: string, { end }: { readonly end: number }) {
  const [whole, quote = '', quoted, bare, ending] = literal.exec(after(text, { end })) ?? [];
  const id = quoted ?? bare;
  if (whole === undefined || id === undefined) return null;
  // A word without quotes may be a variable.
  if (bare !== undefined && ending === undefined && !bare.includes('-')) return null;
  const isSure = /^[\w.:-]+$/.test(id) && (quoted !== undefined || id.includes('-'));
  return { id, start: end + whole.length - quote.length - id.length, isSure };
}

function renamed({ text, start, end }: Word): Edit {
  return { start, end, text: text.replace('workflow', 'squad').replace('Workflow', 'Squad') };
}

function findId(word: Word, { text, squadIds, squads, variables, isOther }: Source) {
  // n8n names its own workflows by "workflowId": { "__rl": true, … }.
  const isTheirs = nameOfOther.test(word.text) || /^"\s*:\s*\{\s*"__rl"/.test(after(text, word));
  if (isOther || isTheirs) return null;
  const value = valueAfter(text, word, variables);
  const given = value && literalAfter(text, value);
  if (!value || !given) return { why: 'name' } as const;
  const { id: workflowId, start } = given;
  const squadId = squadIds.get(workflowId);
  const found = { workflowId, squadId, idStart: start };
  // The id has to be safe in the quotes of any language.
  if (squadId === undefined || !/^[\w.:-]+$/.test(squadId)) {
    return given.isSure ? ({ ...found, why: 'not-in-map' } as const) : ({ why: 'name' } as const);
  }
  // Otherwise the place of the id says what to do.
  if (!value.isKey || !key.test(word.text)) return null;
  if (squads.has(word.inside)) return { ...found, why: 'clash' } as const;
  const edit = { start, end: start + workflowId.length, text: squadId };
  return { ...found, why: null, edits: [renamed(word), edit] };
}

function findOverrides(word: Word, { text, squads, variables }: Source) {
  if (squads.has(word.inside)) return { why: 'clash' } as const;
  if (!valueAfter(text, word, variables)?.isKey) return { why: 'overrides' } as const;
  return { why: null, edits: [renamed(word)] };
}

/** Rewrites an id and its overrides only together: those of the same brackets, else of the file. */
function together(places: readonly Place[]): readonly Place[] {
  const words = places.flatMap(({ word }) => word ?? []);
  const [ids, moved] = [around(words, key), around(words, overrides)];
  const groupOf = ({ inside }: Word) => (ids.has(inside) && moved.has(inside) ? inside : null);
  const stuck = new Set<Brackets | null>();
  for (const { word, why } of places) {
    const isGrouped = word && (key.test(word.text) || overrides.test(word.text));
    if (isGrouped && why !== null) stuck.add(groupOf(word));
  }
  // Those of the file: overrides without an id, or none.
  if ([...ids].every((it) => moved.has(it))) stuck.add(null);
  if ([...moved].every((it) => ids.has(it))) stuck.delete(null);
  return places.map((place) => {
    const isStuck = place.why === null && stuck.has(groupOf(place.word!));
    return isStuck ? { ...place, edits: [], why: 'overrides' } : place;
  });
}

const nothing = /^(?:undefined|null|void 0|\{\s*\}|true|false|[\d.].*|)$/;

/** `start` of the SDK for browsers, with a workflow as its first or its fourth argument. */
function findStart({ start, call }: Word, { text, squadIds, isOurs }: Source) {
  const led = before(text, { start });
  if (call === undefined || /workflow\w*[?!]*\.$/i.test(led)) return null;
  const isClient = /vapi\w*(?:[?!]*\.current)?(?:\(\))?[?!]*\.$/i.test(led);
  const ends = [...(call.commas ?? []).slice(0, 4), call.end];
  const given = ends.map((end, index) => {
    const from = (ends[index - 1] ?? call.start) + 1;
    return text.slice(from, Math.min(end, from + 300)).trim();
  });
  const [first = '', , , fourth = ''] = given;
  const idOf = (value: string) => /^["'`]([\w.:-]+)["'`]$/.exec(value)?.[1] ?? '';
  const workflowId = idOf(fourth) || idOf(first);
  const squadId = squadIds.get(workflowId);
  const isNamed = [first, fourth].some(
    (value) => /workflow/i.test(value) && !/^\{|=>|^[\w$]+\s*[:=](?!=)/.test(value),
  );
  const isFourth = !nothing.test(fourth) && given.slice(0, 3).every((it) => nothing.test(it));
  // Without a map, nothing tells an assistant's id from a workflow's.
  const isFirst = isClient && squadIds.size === 0 && idOf(first) !== '';
  const fits =
    squadId !== undefined ||
    (isOurs && (isNamed || isFourth)) ||
    (isClient && !nothing.test(fourth)) ||
    isFirst;
  if (!fits) return null;
  const named = { workflowId, squadId, idStart: text.indexOf(workflowId, call.start) };
  return { ...(workflowId === '' ? {} : named), why: 'start' } as const;
}

/** A workflow in a body that starts a call, or in the answer to an `assistant-request`. */
function isInline(word: Word, { text, calls, isOurs }: Source): boolean {
  const { inside } = word;
  const value = valueAfter(text, word);
  const isShort = /^\s*[,}]/.test(after(text, word)) && /[{,]\s*$/.test(before(text, word));
  const isField = value?.isKey || (isShort && inside.open === '{');
  if (calls.has(inside) && (inside.open !== '' || isOurs)) return isField === true;
  const body = value?.isKey ? text.slice(value.end, value.end + 2000) : '';
  return /^[&\w.(]{0,60}\{/.test(body) && /\bnodes\W/.test(body);
}

/** Whether `variableValues` or `nodes` are those of an artifact. */
function isOfArtifact({ text: name, start, inside }: Word, { text, isOurs }: Source): boolean {
  if (/nodes/i.test(name) && !isOurs) return false;
  const led = before(text, { start });
  const path = led.slice(led.toLowerCase().lastIndexOf('artifact') + 'artifact'.length);
  const isPath = /^(?:\b(?:get|dig|or|path|as|any|None)\b|[^\w;=,]|,(?=\s*["'`:{]))*$/.test(path);
  if (/artifact/i.test(led) && isPath && /[^\w\s]/.test(path)) return true;
  // const { variableValues } = message.artifact
  return inside.open === '{' && /^\}\s*=[^;\n]{0,100}artifact\b/i.test(after(text, inside));
}

function withLines(text: string, places: readonly Place[]): Found[] {
  let [line, start, end] = [1, 0, text.indexOf('\n')];
  const inOrder = [...places].sort((one, other) => one.start - other.start);
  return inOrder.map((place) => {
    while (end !== -1 && end < place.start) {
      [line, start] = [line + 1, end + 1];
      end = text.indexOf('\n', start);
    }
    return { ...place, line, column: place.start - start + 1 };
  });
}

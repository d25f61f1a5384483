/**
 * Texts that decide and loop, read without liquidjs: plain outputs, and the tags `if`, `unless` and
 * `for` with what belongs to them, in which paths, texts and numbers are compared.
 *
 * In: a text. Out: its reads, or null where the text has any other Liquid or any fault, which the
 * slow half reads. Guarantee: what is read here is what liquidjs would read (a property test says so).
 *
 * Example: `{% for each in list %}{{ each.name }}{% endfor %}` reads `list`; `{% assign a = b %}` and
 * `{% if a | size %}{% endif %}` give null.
 */
import type { Use } from '../ir/workflow.js';
import {
  blank,
  number,
  path,
  readPlainOutput,
  skipOpening,
  string,
  useAt,
} from './template-outputs.js';
import { nextDelimiter } from './template-pieces.js';
import { liquidWords } from './template-plain.js';
import { maxLevels, maxTags, nestsTooDeep } from './template-tags.js';

/** The reads of a text, or of a block in it, in text order, or null; see the head of this file. */
export function readBlocks(value: string, from = 0, end = value.length): readonly Use[] | null {
  const reading: Reading = { value, uses: [], open: [] };
  let tags = 0;
  let at = from;
  for (;;) {
    const start = nextDelimiter(value, at);
    if (start < 0 || start >= end) return reading.open.length === 0 ? reading.uses : null;
    const isOutput = value[start + 1] === '{';
    if (!isOutput && ++tags > maxTags) return null;
    at = isOutput ? takeOutput(reading, start) : takeTag(reading, start);
    if (at < 0 || nestsTooDeep(value, start, at)) return null;
  }
}

interface Reading {
  readonly value: string;
  readonly uses: Use[];
  /** The blocks that are open, outermost first. */
  readonly open: Block[];
}

interface Block {
  readonly name: 'if' | 'unless' | 'for';
  /** What a loop calls its element; it is gone behind `else`. */
  readonly own: string | null;
  hasElse: boolean;
}

/** Where the text is not for this half. */
const stop = -1;

function takeOutput(reading: Reading, start: number): number {
  const output = readPlainOutput(reading.value, start);
  if (output === null) return stop;
  if (output.use !== null) addUse(reading, output.use);
  return output.end;
}

/** A name that stands for the element of a loop is no variable. */
function addUse({ uses, open }: Reading, use: Use): void {
  for (const { name, own, hasElse } of open) {
    if (name === 'for' && !hasElse && (use.name === own || use.name === 'forloop')) return;
  }
  uses.push(use);
}

function takeTag(reading: Reading, start: number): number {
  const { value } = reading;
  tagName.lastIndex = start;
  if (!tagName.test(value)) return stop;
  const behind = tagName.lastIndex;
  const name = value.slice(skipOpening(value, start), behind);
  // liquidjs ends a tag there, whatever text it stands in.
  const close = value.indexOf('%}', start + 1) + 2;
  if (takeWords(reading, name, behind) !== close) return stop;
  return reading.open.length > maxLevels ? stop : close;
}

/** Gives back where the tag ends by its words. */
function takeWords(reading: Reading, name: string, at: number): number {
  const { value, open } = reading;
  const block = open[open.length - 1];
  switch (name) {
    case 'if':
    case 'unless':
      open.push({ name, own: null, hasElse: false });
      return takeCondition(reading, at);
    case 'elsif':
      return block === undefined || block.name === 'for' || block.hasElse
        ? stop
        : takeCondition(reading, at);
    case 'else':
      if (block === undefined || block.hasElse) return stop;
      block.hasElse = true;
      return endOfTag(value, at);
    case 'for':
      return takeLoop(reading, at);
    default:
      if (block === undefined || name !== `end${block.name}`) return stop;
      open.pop();
      return endOfTag(value, at);
  }
}

function takeCondition(reading: Reading, from: number): number {
  const { value } = reading;
  for (let at = from; ; at = operator.lastIndex) {
    operand.lastIndex = at;
    const match = operand.exec(value);
    if (match === null) return stop;
    const [, before = '', name, steps = ''] = match;
    if (name !== undefined) {
      if (liquidWords.has(name)) return stop;
      addUse(reading, useAt(name, steps, at + before.length));
    }
    operator.lastIndex = operand.lastIndex;
    if (!operator.test(value)) return endOfTag(value, operand.lastIndex);
  }
}

/** The list is read outside of the loop. */
function takeLoop(reading: Reading, at: number): number {
  const { value, open } = reading;
  loop.lastIndex = at;
  const match = loop.exec(value);
  if (match === null) return stop;
  const [, before = '', own = '', name = '', steps = ''] = match;
  if (liquidWords.has(own) || liquidWords.has(name)) return stop;
  addUse(reading, useAt(name, steps, at + before.length));
  open.push({ name: 'for', own, hasElse: false });
  return endOfTag(value, loop.lastIndex);
}

function endOfTag(value: string, at: number): number {
  tagEnd.lastIndex = at;
  return tagEnd.test(value) ? tagEnd.lastIndex : stop;
}

const someBlank = '[ \\t\\r\\n]+';
const tagName = new RegExp(`\\{%-?${blank}[a-z]+(?![\\w?-])`, 'y');
const tagEnd = new RegExp(`${blank}-?%\\}`, 'y');
const operand = new RegExp(
  `(${blank})(?:(?:true|false|nil|null|empty|blank)(?![\\w?.[-])|${path}|${string}|${number})`,
  'y',
);
/** Words want room on both sides. */
const operator = new RegExp(
  `${blank}(?:==|!=|<=|>=|<|>)|${someBlank}(?:and|or|contains)(?=[ \\t\\r\\n])`,
  'y',
);
const loop = new RegExp(`(${someBlank}([A-Za-z_]\\w*)${someBlank}in${someBlank})${path}`, 'y');

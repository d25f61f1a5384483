/**
 * The callers in a script: properties `workflowId` of object literals, and whatever else names it.
 *
 * Only `workflowId: 'literal'` in an object literal is rewritten; comments are no callers. The
 * walk over the syntax tree is iterative.
 */
import {
  type ByHand,
  type FoundCallers,
  type HandPlace,
  namesWorkflow,
  newName,
  oldName,
  type Rewrite,
  type SquadIds,
} from './caller-place.js';
import { type Quote, settleProperty } from './object-property.js';
import { isNode, parseScript, type SyntaxNode } from './script-parser.js';

interface Search {
  readonly text: string;
  readonly squadIds: SquadIds;
  readonly rewrites: Rewrite[];
  readonly byHand: HandPlace[];
  /** Nodes that were judged with the node above them. */
  readonly judged: Set<unknown>;
  /** The properties of object literals that were met, and whether their object has two of them. */
  readonly clashes: Map<SyntaxNode, boolean>;
}

const accesses: ReadonlySet<string> = new Set(['MemberExpression', 'OptionalMemberExpression']);

/** Null where the text cannot be read as a script. */
export function findInScript(path: string, text: string, squadIds: SquadIds): FoundCallers | null {
  const root = parseScript(path, text);
  if (root === null) return null;
  const search: Search = {
    text,
    squadIds,
    rewrites: [],
    byHand: [],
    judged: new Set(),
    clashes: new Map(),
  };
  const open: SyntaxNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (search.judged.has(node)) continue;
    judge(node, search);
    for (const child of childrenOf(node)) open.push(child);
  }
  const byPlace = (a: { offset: number }, b: { offset: number }) => a.offset - b.offset;
  return { rewrites: search.rewrites.sort(byPlace), byHand: search.byHand.sort(byPlace) };
}

function* childrenOf(node: SyntaxNode): Generator<SyntaxNode> {
  for (const member of Object.values(node)) {
    if (isNode(member)) yield member;
    else if (Array.isArray(member)) yield* member.filter(isNode);
  }
}

function judge(node: SyntaxNode, search: Search): void {
  const { type } = node;
  if (type === 'ObjectExpression') registerProperties(node, search);
  else if (type === 'Property') judgeProperty(node, search);
  else if (accesses.has(type)) judgeName(node, node.property, 'access', search);
  else if (type === 'JSXAttribute') judgeName(node, node.name, 'declaration', search);
  else if (type === 'VariableDeclarator') judgeVariable(node, search);
  else if (type === 'Literal') judgeText(node, node.value, search);
  else if (type === 'TemplateElement') judgeText(node, textOfElement(node), search);
  else if ('key' in node) judgeName(node, node.key, 'declaration', search);
}

/** The properties of an object literal are looked at together: of two that clash none is rewritten. */
function registerProperties(object: SyntaxNode, search: Search): void {
  const properties = Array.isArray(object.properties) ? object.properties.filter(isNode) : [];
  const names = properties.map((each) => (each.type === 'Property' ? nameOf(each) : null));
  const clashes = names.includes(newName) || names.filter((each) => each === oldName).length > 1;
  for (const property of properties) search.clashes.set(property, clashes);
}

/** A property of an object literal, or of a pattern that takes objects apart. */
function judgeProperty(property: SyntaxNode, search: Search): void {
  const clashes = search.clashes.get(property);
  if (clashes === undefined) judgeName(property, property.key, 'access', search);
  else if (nameOf(property) === oldName) judgeCaller(property, clashes, search);
  else judgeComputed(property, search);
}

function judgeCaller(property: SyntaxNode, clashes: boolean, search: Search): void {
  const { key, value, shorthand } = property;
  if (!isNode(key) || !isNode(value)) return;
  const literal = stringOf(value);
  search.judged.add(key);
  if (shorthand === true || literal !== null) search.judged.add(value);
  const why = whyByHand(property, value);
  if (why !== null || literal === null) {
    search.byHand.push(placeOf(key, why ?? 'expression', literal));
    return;
  }
  const named = {
    key: inQuotes(key, search),
    value: { ...inQuotes(value, search), value: literal },
  };
  const found = settleProperty(named, clashes, search.squadIds);
  search.rewrites.push(...found.rewrites);
  search.byHand.push(...found.byHand);
}

/** Why the form of a property keeps it from being rewritten. */
function whyByHand({ shorthand, computed }: SyntaxNode, value: SyntaxNode): ByHand | null {
  if (shorthand === true) return 'shorthand';
  if (computed === true) return 'computed';
  if (stringOf(value) !== null) return null;
  return value.type === 'TemplateLiteral' ? 'template' : 'expression';
}

function placeOf({ start: offset }: SyntaxNode, why: ByHand, workflowId: string | null): HandPlace {
  return workflowId === null ? { offset, why } : { offset, why, workflowId };
}

function inQuotes({ start, end }: SyntaxNode, { text }: Search) {
  const sign = text.charAt(start);
  const quote: Quote = sign === '"' || sign === "'" ? sign : '';
  return { start, end, quote };
}

/** `[key]: 'abc'` says at run time only what it names; an id of the map makes it a caller. */
function judgeComputed({ key, value, computed }: SyntaxNode, search: Search): void {
  const literal = computed === true && isNode(value) ? stringOf(value) : null;
  if (!isNode(key) || literal === null || !search.squadIds.has(literal)) return;
  search.byHand.push(placeOf(key, 'computed', literal));
}

function judgeName(
  node: SyntaxNode,
  name: unknown,
  why: 'access' | 'declaration',
  search: Search,
): void {
  if (!isNode(name) || namedBy(name, node.computed === true) !== oldName) return;
  search.judged.add(name);
  // `{ workflowId }` as a pattern: name and variable are one word.
  if (node.shorthand === true) search.judged.add(node.value);
  search.byHand.push(placeOf(name, why, null));
}

function judgeVariable({ id, init }: SyntaxNode, search: Search): void {
  if (!isNode(id) || namedBy(id, false) !== oldName || !isNode(init)) return;
  const literal = stringOf(init);
  if (literal === null || !search.squadIds.has(literal)) return;
  search.byHand.push(placeOf(id, 'variable', literal));
}

function judgeText({ start }: SyntaxNode, text: unknown, search: Search): void {
  if (typeof text !== 'string' || !namesWorkflow(text)) return;
  search.byHand.push({ offset: start, why: 'text' });
}

function textOfElement({ value }: SyntaxNode): unknown {
  if (typeof value !== 'object' || value === null || !('raw' in value)) return null;
  return value.raw;
}

/** The name of a property where the source says it. */
function nameOf({ key, computed }: SyntaxNode): string | null {
  return isNode(key) ? namedBy(key, computed === true) : null;
}

/** An identifier is a name only where it is not computed; a literal is one either way. */
function namedBy(key: SyntaxNode, computed: boolean): string | null {
  if (key.type === 'Literal') return stringOf(key);
  if (key.type === 'TemplateLiteral') return computed ? wholeTemplate(key) : null;
  const isName = key.type === 'Identifier' || key.type === 'JSXIdentifier';
  return isName && !computed && typeof key.name === 'string' ? key.name : null;
}

/** The text of a template string without insertions. */
function wholeTemplate({ quasis }: SyntaxNode): string | null {
  const [first, ...others] = Array.isArray(quasis) ? quasis.filter(isNode) : [];
  const text = first === undefined || others.length > 0 ? null : textOfElement(first);
  return typeof text === 'string' ? text : null;
}

function stringOf(node: SyntaxNode): string | null {
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

/** The texts of a node, by when they are read. */
import type { Capture, Text, Transfer, WorkflowNode } from '../ir/workflow.js';

export type VisitText = (text: Text) => void;

/** Visits what a node reads on entry, captures' descriptions last. */
export function visitTexts(node: WorkflowNode, visit: VisitText): void {
  if (node.firstMessage !== null) visit(node.firstMessage);
  if (node.systemPrompt !== null) visit(node.systemPrompt);
  if (node.transfer !== null) visitTransfer(node.transfer, visit);
  if (node.request !== null) node.request.texts.forEach(visit);
  if (node.tools.length > 0) for (const { texts } of node.tools) texts.forEach(visit);
  // Every node comes by here, and an iterator over so short a list costs more than the list.
  for (let at = 0; at < node.captures.length; at += 1) {
    const { description } = node.captures[at]!;
    if (description !== null) visit(description);
  }
}

/** Visits the values of the node's aliases, which are read when the call is handed over. */
export function visitAliases(node: WorkflowNode, visit: VisitText): void {
  for (let at = 0; at < node.captures.length; at += 1) {
    const { alias } = node.captures[at]!;
    if (alias !== undefined) visit(alias);
  }
}

/** All texts of a node: what it reads on entry, then its aliases. */
export function listAllTexts(node: WorkflowNode): Text[] {
  const texts: Text[] = [];
  const add: VisitText = (text) => texts.push(text);
  visitTexts(node, add);
  visitAliases(node, add);
  return texts;
}

/** Whether the text reads into some variable (`a.b`). */
export function readsInto({ uses }: Text): boolean {
  for (let at = 0; at < uses.length; at += 1) if (uses[at]!.nested) return true;
  return false;
}

/** What an alias makes of the value that its own key had before: that has to be there on entry. */
export function listBuiltUpon({ captures }: WorkflowNode): readonly string[] {
  if (!captures.some(isAlias)) return nothing;
  const found = new Set(captures.flatMap((it) => (it.alias === undefined ? [it.name] : [])));
  return captures.flatMap(({ name, alias }) =>
    alias?.uses.some((use) => use.name === name) && !found.has(name) ? [name] : [],
  );
}

const nothing: readonly string[] = [];

function isAlias({ alias }: Capture): boolean {
  return alias !== undefined;
}

function visitTransfer(transfer: Transfer, visit: VisitText): void {
  const { message, address, description, passedTexts, others } = transfer;
  if (message !== null) visit(message);
  if (address !== null) visit(address);
  if (description !== null) visit(description);
  passedTexts.forEach(visit);
  for (const other of others) visitTransfer(other, visit);
}

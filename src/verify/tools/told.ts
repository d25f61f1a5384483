/** Whether tools say when they are to be called, and what the source says that they are for. */
import type { Condition, Text } from '../../compiler/ir/workflow.js';
import { elements, type Member, objectOf, type Tool, textOf } from '../squad-reading.js';
import { descriptionOf } from '../tool-keys.js';
import type { Kind, WantedTool } from '../wanted-tools.js';
import { isDescribed, isDescribedExactly, type Ways } from './descriptions.js';
import { purposeOfOperation } from './operation-content.js';

/** The assistant that has the tools. */
interface Scene {
  readonly member: Member;
  readonly assistant: string;
}

/** Whether the description says when the tool is to be called. */
export function isTold(
  { member, assistant }: Scene,
  { kind, ways, variables }: WantedTool,
  tool: Tool,
): boolean {
  const given = descriptionOf(tool);
  const description = textOf(given) ?? '';
  if (tool.type === 'transferCall') return areTold(kind, ways, tool, member.compiled, assistant);
  const purpose = purposeOf(kind, member.compiled);
  if (purpose !== null) {
    const all = [saying(purpose), ...ways];
    if (!member.compiled) return isDescribed(description, all);
    return isDescribedExactly(description, all, assistant);
  }
  if (!member.compiled) return isDescribed(description, ways);
  if (ways.length > 0) return isDescribedExactly(description, ways, assistant);
  if (kind.content === null) return givesExactly(description, variables);
  return given === undefined;
}

/** What the source says of it; squadc itself says of an operation what the table has. */
function purposeOf({ node }: Kind, compiled: boolean): Text | null {
  const request = node?.request ?? null;
  if (request === null || request.description !== null) return request?.description ?? null;
  const value = compiled ? purposeOfOperation(request) : null;
  return value === null ? null : { value, at: '', uses: [] };
}

/** Each destination says when to transfer, and what the source says that it is for. */
function areTold(
  { node }: Kind,
  ways: Ways,
  { value }: Tool,
  compiled: boolean,
  assistant: string,
): boolean {
  const transfer = node?.transfer ?? null;
  const all = transfer === null ? [] : [transfer, ...transfer.others];
  const known = all.filter(({ destination }) => destination !== null);
  const destinations = elements(value['destinations']).map(objectOf);
  return destinations.slice(0, known.length).every((destination, index) => {
    const description = textOf(destination['description']) ?? '';
    const purpose = known[index]?.description ?? null;
    const told = purpose === null ? ways : [...ways, saying(purpose)];
    if (compiled) return isDescribedExactly(description, told, assistant);
    return isDescribed(description, told);
  });
}

/** A text that a description has to hold, like the condition of a way. */
function saying(text: Text): Condition {
  return { ...text, logical: false, routing: null, guard: null, call: null };
}

/** What squadc says of a custom tool, its variables in whatever order. */
function givesExactly(description: string, variables: readonly string[]): boolean {
  const [, names = ''] = /^Gives the confirmed value of (.+)\.$/.exec(description) ?? [];
  return haveSameElements(names.split(/, | and /), variables);
}

/** Whether the names, each once, are those of the others. */
export function haveSameElements(names: readonly string[], others: readonly string[]): boolean {
  const wanted = new Set(others);
  return names.length === wanted.size && new Set([...wanted, ...names]).size === wanted.size;
}

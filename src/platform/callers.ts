/**
 * The callers in a text: where it names `workflowId`, and where an id of a workflow stands that a
 * squad replaces.
 *
 * In: any text, in any language. Out: places in order. Nothing is parsed: a name with a literal id
 * beside it is rewritten in the spellings that programs use, and everything else is left to a
 * human, so that no occurrence is missed, in a comment or a constant either.
 *
 *     workflowId: 'abc'   "workflowId": "abc"   workflow_id="abc"   \"workflowId\":\"abc\"
 *     workflowId: abc     (YAML)
 */
import type { Edit } from './patch.js';

/** Squad ids by the workflow ids that they replace. */
export type SquadIds = ReadonlyMap<string, string>;

/** Why a place is left to a human. */
export type ByHand =
  /** The name stands without a literal id beside it. */
  | 'name'
  /** An id of the map, somewhere else than beside the name. */
  | 'id'
  /** The literal is no id of the map. */
  | 'not-in-map'
  /** Beside it stands a `squadId` already. */
  | 'clash';

/** A place; line and column are counted from 1, columns in code units. */
export interface Found {
  readonly line: number;
  readonly column: number;
  /** Null where it is rewritten. */
  readonly why: ByHand | null;
  readonly edit?: Edit;
  /** The id that stands there, and that of the squad that replaces it. */
  readonly workflowId?: string | undefined;
  readonly squadId?: string | undefined;
}

const letter = '[\\p{ID_Continue}$-]';
const name = new RegExp(`(?<!${letter})workflow(?:Id|_id)(?!${letter})`, 'gu');

/** Behind the name: its closing quote, `:` or `=`, and the id in quotes, or bare to the line's end. */
const value =
  /^((\\?["'])?\s*[:=]\s*)(?:(\\?["'])([^"'\\\n]+)(\3)|([\w.:-]+)(?=[ \t]*(?:#.*)?(?:\r?\n|$)))/;

/** Finds the callers of a text. */
export function findCallers(text: string, squadIds: SquadIds): Found[] {
  const found: (Omit<Found, 'line' | 'column'> & { readonly offset: number })[] = [];
  /** Where ids stand that belong to a name. */
  const told = new Set<number>();
  for (const { index: offset, 0: word } of text.matchAll(name)) {
    const behind = text.slice(offset + word.length, offset + word.length + 400);
    const [pair, between = '', , open = '', quoted, close = '', bare] = value.exec(behind) ?? [];
    const workflowId = quoted ?? bare;
    const squadId = squadIds.get(workflowId ?? '');
    if (pair !== undefined) told.add(offset + word.length + between.length + open.length);
    // It has to fit into quotes of any language. A word that is not in quotes may be a variable.
    if (squadId === undefined || !/^[\w.:-]+$/.test(squadId)) {
      found.push(
        quoted === undefined ? { offset, why: 'name' } : { offset, why: 'not-in-map', workflowId },
      );
    } else if (hasSquad(text, offset)) {
      found.push({ offset, why: 'clash', workflowId });
    } else {
      const renamed = word === 'workflowId' ? 'squadId' : 'squad_id';
      const end = offset + word.length + (pair?.length ?? 0);
      const edit = { start: offset, end, text: renamed + between + open + squadId + close };
      found.push({ offset, why: null, edit, workflowId, squadId });
    }
  }
  for (const [workflowId, squadId] of squadIds) {
    for (let at = text.indexOf(workflowId); at !== -1; at = text.indexOf(workflowId, at + 1)) {
      const around = (text[at - 1] ?? ' ') + (text[at + workflowId.length] ?? ' ');
      const isWord = !/[\w-]/.test(around);
      if (isWord && !told.has(at)) found.push({ offset: at, why: 'id', workflowId, squadId });
    }
  }
  found.sort((one, other) => one.offset - other.offset);
  let [line, start] = [1, 0];
  return found.map(({ offset, ...place }) => {
    for (let end = text.indexOf('\n', start); end !== -1 && end < offset; ) {
      [line, start] = [line + 1, end + 1];
      end = text.indexOf('\n', start);
    }
    return { ...place, line, column: offset - start + 1 };
  });
}

/** Whether a squad is named within the same braces, as far as they can be told without a parser. */
function hasSquad(text: string, offset: number): boolean {
  const near = 2000;
  const marks = (part: string) => [...part.matchAll(/[{}]|\bsquad(?:Id|_id)\b/g)].map(String);
  const before = marks(text.slice(Math.max(0, offset - near), offset)).reverse();
  const after = marks(text.slice(offset, offset + near));
  return namesAtTop(before, '}', '{') || namesAtTop(after, '{', '}');
}

function namesAtTop(marks: readonly string[], opening: string, closing: string): boolean {
  let depth = 0;
  for (const mark of marks) {
    if (mark === opening) depth += 1;
    else if (mark === closing) depth -= 1;
    else if (depth === 0) return true;
    if (depth < 0) return false;
  }
  return false;
}

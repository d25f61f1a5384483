/**
 * Finds the callers in a text: where it uses the name `workflowId`, and where it contains the id of
 * a workflow that a squad replaces.
 *
 * In: any text, in any language. Out: places in order. Nothing is parsed. A name next to a literal
 * id is rewritten in the usual spellings; everything else is left to a human, so no occurrence is
 * missed, not even in a comment or a constant.
 *
 *     workflowId: 'abc'   "workflowId": "abc"   workflow_id="abc"   \"workflowId\":\"abc\"
 *     workflowId: abc     (YAML)
 */
import type { Edit } from './patch.js';

/** Squad ids by the workflow ids that they replace. */
export type SquadIds = ReadonlyMap<string, string>;

/** Why a place is left to a human. */
export type ByHand =
  /** The name has no literal id next to it. */
  | 'name'
  /** An id of the map that is not next to the name. */
  | 'id'
  /** The literal is not an id of the map. */
  | 'not-in-map'
  /** There already is a `squadId` next to it. */
  | 'clash';

/** A place; line and column count from 1, columns in UTF-16 units. */
export interface Found {
  readonly line: number;
  readonly column: number;
  /** Null if the place is rewritten. */
  readonly why: ByHand | null;
  readonly edit?: Edit;
  /** The id found there, and the id of the squad that replaces it. */
  readonly workflowId?: string | undefined;
  readonly squadId?: string | undefined;
}

const letter = '[\\p{ID_Continue}$-]';
const name = new RegExp(`(?<!${letter})workflow(?:Id|_id)(?!${letter})`, 'gu');

/** What follows the name: closing quote, `:` or `=`, and the id, in quotes or to the line's end. */
const value =
  /^((\\?["'])?\s*[:=]\s*)(?:(\\?["'])([^"'\\\n]+)(\3)|([\w.:-]+)(?=[ \t]*(?:#.*)?(?:\r?\n|$)))/;

/** Finds the callers of a text. */
export function findCallers(text: string, squadIds: SquadIds): Found[] {
  const found: (Omit<Found, 'line' | 'column'> & { readonly offset: number })[] = [];
  /** Offsets of ids that belong to a name. */
  const told = new Set<number>();
  for (const { index: offset, 0: word } of text.matchAll(name)) {
    const behind = text.slice(offset + word.length, offset + word.length + 400);
    const [pair, between = '', , open = '', quoted, close = '', bare] = value.exec(behind) ?? [];
    const workflowId = quoted ?? bare;
    const squadId = squadIds.get(workflowId ?? '');
    if (pair !== undefined) told.add(offset + word.length + between.length + open.length);
    // The id has to be safe in the quotes of any language. A word without quotes may be a variable.
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

/** Whether the same braces contain a squad id, as far as that can be told without a parser. */
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

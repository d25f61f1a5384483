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

/** A place that is left to a human; `workflowId` is the id that stands there. */
export interface HandPlace {
  readonly offset: number;
  readonly why: ByHand;
  readonly workflowId?: string;
}

/** A name and its value that are rewritten. */
export interface Rewrite extends Edit {
  readonly offset: number;
  readonly workflowId: string;
  readonly squadId: string;
}

/** All that was found in one text. */
export interface FoundCallers {
  readonly rewrites: readonly Rewrite[];
  readonly byHand: readonly HandPlace[];
}

const letter = '[\\p{ID_Continue}$-]';
const name = new RegExp(`(?<!${letter})workflow(?:Id|_id)(?!${letter})`, 'gu');

/** Behind the name: its closing quote, `:` or `=`, and the id in quotes, or bare to the line's end. */
const value =
  /^((\\?["'])?\s*[:=]\s*)(?:(\\?["'])([^"'\\\n]+)(\3)|([\w.:-]+)(?=[ \t]*(?:#.*)?(?:\r?\n|$)))/;

/** Finds the callers of a text. */
export function findCallers(text: string, squadIds: SquadIds): FoundCallers {
  const rewrites: Rewrite[] = [];
  const byHand: HandPlace[] = [];
  /** Where ids stand that belong to a name. */
  const told = new Set<number>();
  for (const { index: offset, 0: found } of text.matchAll(name)) {
    const behind = text.slice(offset + found.length, offset + found.length + 400);
    const [pair, between = '', , open = '', quoted, close = '', bare] = value.exec(behind) ?? [];
    const workflowId = quoted ?? bare;
    if (pair === undefined || workflowId === undefined) {
      byHand.push({ offset, why: 'name' });
      continue;
    }
    told.add(offset + found.length + between.length + open.length);
    const squadId = squadIds.get(workflowId);
    if (squadId === undefined || !isPlain(squadId)) {
      // A word that is not in quotes may be a variable.
      byHand.push(
        quoted === undefined ? { offset, why: 'name' } : { offset, why: 'not-in-map', workflowId },
      );
    } else if (hasSquad(text, offset)) {
      byHand.push({ offset, why: 'clash', workflowId });
    } else {
      const renamed = found === 'workflowId' ? 'squadId' : 'squad_id';
      const end = offset + found.length + pair.length;
      const written = renamed + between + open + squadId + close;
      rewrites.push({ offset, start: offset, end, text: written, workflowId, squadId });
    }
  }
  for (const workflowId of squadIds.keys()) {
    for (const offset of placesOf(workflowId, text)) {
      if (!told.has(offset)) byHand.push({ offset, why: 'id', workflowId });
    }
  }
  byHand.sort((one, other) => one.offset - other.offset);
  return { rewrites, byHand };
}

/** Whether the id can stand in quotes of any language. */
function isPlain(id: string): boolean {
  return /^[\w.:-]+$/.test(id);
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

/** Where the id stands as a word of its own. */
function placesOf(id: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + id.length)) {
    const around = (text[at - 1] ?? ' ') + (text[at + id.length] ?? ' ');
    if (!/[\w-]/.test(around)) places.push(at);
  }
  return places;
}

/** The places, which are in order, with line and column: both from 1, columns in code units. */
export function placed<Place extends { readonly offset: number }>(
  text: string,
  places: readonly Place[],
): (Place & { readonly line: number; readonly column: number })[] {
  let [line, start] = [1, 0];
  return places.map((place) => {
    for (let end = text.indexOf('\n', start); end !== -1 && end < place.offset; ) {
      [line, start] = [line + 1, end + 1];
      end = text.indexOf('\n', start);
    }
    return { ...place, line, column: place.offset - start + 1 };
  });
}

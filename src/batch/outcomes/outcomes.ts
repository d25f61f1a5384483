/**
 * The outcomes of all blocks, put in the order of the input.
 *
 * Held are places of lines, keys as hashes, and line numbers: a few bytes a workflow. The lines are
 * read from the journals when they are wanted.
 */

import type { LineReader } from '../journal/line-reader.js';
import type { Block } from '../plan.js';
import { type BlockOutcome, Place } from '../setup.js';
import { opensFile } from '../sources/blocks.js';
import { KeyOwners } from './key-owners.js';
import { LineStore } from './line-store.js';

/** A workflow's line with its position in the input. */
export interface PlacedLine {
  readonly index: number;
  /** Of a JSONL file, from 1 on. */
  readonly line: number | undefined;
  /** Without its end. */
  readonly bytes: Buffer;
}

/** What of a block stays. */
interface Held extends Omit<BlockOutcome, 'journal' | 'unwritten' | 'notes' | 'unread' | 'bad'> {
  /** Whether lines are counted from 1 again. */
  readonly opens: boolean;
  /** The line of the file that it begins with; known when all blocks before it are. */
  firstLine: number;
  readonly nameOf: (item: number) => string;
}

/** A place in the input: the next block and its first item. */
interface InputPlace {
  block: number;
  index: number;
}

/** Items that have to be done again, by block. */
export type Again<Value> = Map<number, Map<number, Value>>;

export class Outcomes {
  readonly keys = new KeyOwners();
  /** Items whose key another one has had before: the first, in words. */
  readonly taken: Again<string> = new Map();
  /** Items whose files another one may have overwritten, or that waited for their turn. */
  readonly redo: Again<null> = new Map();
  private readonly held: Held[] = [];
  private readonly known = new Map<number, Block>();
  private readonly store = new LineStore();
  /** Blocks before this one have their keys. */
  private settled = 0;
  /** How far they were followed while they came. */
  private readonly followed: InputPlace = { block: 0, index: 0 };
  /** The line of its file that the next block to be settled begins with. */
  private nextLine = 1;
  private following: LineReader | null = null;

  /** How many blocks there are outcomes of. */
  get blocks(): number {
    return this.known.size;
  }

  blockOf(index: number): Block {
    return this.known.get(index) as Block;
  }

  /**
   * Takes what came of a block, in any order of blocks; parts of it come after the whole. `known`
   * are the paths that the numbers of files mean.
   */
  add(block: Block, [whole, ...parts]: readonly BlockOutcome[], known: readonly string[]): void {
    if (whole === undefined) return;
    const { index, lines, items, keys, at, claims } = whole;
    this.known.set(index, block);
    const held: Held = {
      ...{ index, lines, items, keys: keys.slice(), at },
      claims: [...claims, ...parts.flatMap((part) => part.claims)],
      places: this.store.translated(whole, known),
      opens: opensFile(block),
      firstLine: 1,
      nameOf: (item) => (block.kind === 'lines' ? block.source : block.sources[item])?.name ?? '',
    };
    this.held[index] = held;
    for (const part of parts) this.overlay(held, part, known);
    for (let next = this.held[this.settled]; next; next = this.held[this.settled]) {
      this.settle(next);
      this.settled += 1;
    }
  }

  /** Puts items that were done again over what there was. */
  replace(part: BlockOutcome, known: readonly string[]): void {
    this.overlay(this.held[part.index] as Held, part, known);
  }

  private overlay(held: Held, part: BlockOutcome, known: readonly string[]): void {
    const places = this.store.translated(part, known);
    for (let item = 0; item < part.items; item += 1) {
      const numbers = part.keys.subarray(item * 2, item * 2 + 2);
      if (numbers.every((each) => each === 0)) continue;
      held.keys.set(numbers, item * 2);
      held.places.set(places.subarray(item * 3, item * 3 + 3), item * 3);
    }
  }

  /** The lines in the order of the input. */
  *lines(): Generator<PlacedLine> {
    const reader = this.store.openReader();
    try {
      yield* this.linesFrom({ block: 0, index: 0 }, reader);
    } finally {
      reader.close();
    }
  }

  /** The lines of blocks that were settled since the last call. */
  newLines(): Generator<PlacedLine> {
    this.following ??= this.store.openReader();
    return this.linesFrom(this.followed, this.following);
  }

  close(): void {
    this.following?.close();
  }

  /** Whether the lines are the first ones of this file, in its order. */
  areFirstOf(path: string): boolean {
    const number = this.store.find(path);
    let next = 0;
    for (const { places } of this.held) {
      for (let at = 0; at < places.length; at += 3) {
        if (places[at] === Place.none) continue;
        if (places[at] !== number || places[at + 1] !== next) return false;
        next += places[at + 2] as number;
      }
    }
    return true;
  }

  /** Moves the place on. */
  private *linesFrom(place: InputPlace, reader: LineReader): Generator<PlacedLine> {
    for (; place.block < this.settled; place.block += 1) {
      const held = this.held[place.block] as Held;
      const { items, places } = held;
      for (let item = 0; item < items; item += 1, place.index += 1) {
        const bytes = this.store.read(places, item, reader);
        if (bytes !== null) yield { index: place.index, line: lineOf(held, item), bytes };
      }
    }
  }

  private settle(held: Held): void {
    const { index: block, items, keys, claims, nameOf } = held;
    held.firstLine = held.opens ? 1 : this.nextLine;
    this.nextLine = held.firstLine + held.lines;
    const waiting = new Set(claims);
    for (let item = 0; item < items; item += 1) {
      const [high, low] = [keys[item * 2] as number, keys[item * 2 + 1] as number];
      if (high === 0 && low === 0) continue;
      const first = this.keys.claim(high, low, { block, item });
      if (first === null) {
        if (waiting.has(item)) put(this.redo, block, item, null);
        continue;
      }
      const owner = this.held[first.block] as Held;
      const line = lineOf(owner, first.item);
      const name = owner.nameOf(first.item) || nameOf(item);
      put(this.taken, block, item, line === undefined ? name : `${name}:${line}`);
      if (!waiting.has(item)) put(this.redo, first.block, first.item, null);
    }
  }
}

/** Of a JSONL file, from 1 on. */
function lineOf({ at, firstLine }: Pick<Held, 'at' | 'firstLine'>, item: number) {
  return at[item] === -1 ? undefined : firstLine + (at[item] as number);
}

function put<Value>(again: Again<Value>, block: number, item: number, value: Value): void {
  const items = again.get(block) ?? new Map<number, Value>();
  again.set(block, items.set(item, value));
}

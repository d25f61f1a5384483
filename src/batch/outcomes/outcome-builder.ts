/** Gathers what came of a block, number by number: a message of a few arrays for all of it. */

import { bugCodes } from '../faults.js';
import type { KnownLine } from '../journal/known.js';
import { type DoneRecord, numbersOfKey } from '../journal/records.js';
import type { LinePlace } from '../journal/writer.js';
import { type BlockOutcome, Place } from '../setup.js';

/** What is counted of a workflow. */
type Counted = Pick<DoneRecord, 'status' | 'folder' | 'source'> & {
  readonly failure?: string | undefined;
};

export class OutcomeBuilder {
  lines = 0;
  readonly notes: string[] = [];
  readonly unread: string[] = [];
  private readonly at: number[] = [];
  private readonly places: number[] = [];
  private readonly keys: number[] = [];
  private readonly unwritten: string[] = [];
  private readonly claims: number[] = [];
  private readonly met = new Set<string>();
  private readonly bad = { invalid: 0, failed: 0, bugs: 0 };

  constructor(
    readonly index: number,
    private readonly journal: string,
  ) {}

  /** The number of a new item. */
  add(line: number): number {
    this.places.push(Place.none, 0, 0);
    this.keys.push(0, 0);
    return this.at.push(line) - 1;
  }

  hasKey(key: string): boolean {
    return this.met.has(key);
  }

  setKey(item: number, key: string): void {
    this.setNumbers(item, key, numbersOfKey(key));
  }

  private setNumbers(item: number, key: string, [high, low]: readonly [number, number]): void {
    this.met.add(key);
    this.keys[item * 2] = high;
    this.keys[item * 2 + 1] = low;
  }

  /** Somebody else has the key, or may have it. */
  claim(item: number, key: string): void {
    this.setKey(item, key);
    this.claims.push(item);
  }

  putKnown(
    item: number,
    { file, offset, length }: KnownLine,
    numbers: readonly [number, number],
    record: DoneRecord,
  ): void {
    const { key } = record;
    if (this.hasKey(key)) {
      this.claim(item, key);
      return;
    }
    this.setNumbers(item, key, numbers);
    this.place(item, file, offset, length);
    this.count(record);
  }

  putOwn(item: number, { offset, length }: LinePlace): void {
    this.place(item, Place.own, offset, length);
  }

  /** The line itself, where the journal does not have it. */
  putUnwritten(item: number, line: string): void {
    this.place(item, Place.unwritten, this.unwritten.push(line) - 1, 0);
  }

  /** `named` where it is said which they are. */
  count({ status, failure, folder, source }: Counted, named = false): void {
    if (status !== 'invalid' && status !== 'failed') return;
    this.bad[status] += 1;
    if (failure !== undefined && bugCodes.has(failure)) this.bad.bugs += 1;
    if (named) this.notes.push(`${failure ?? status}: ${folder} (${source})`);
  }

  /** Says which squads are gone, and which pages, unless they are made again. */
  removed(paths: readonly string[], pages: boolean): void {
    const named = pages ? /\/squad\.json$/ : /\/(?:squad\.json|report\.html)$/;
    for (const path of paths) {
      if (named.test(path)) this.notes.push(`removed, as it is outdated: ${path}`);
    }
  }

  finish(): BlockOutcome {
    const { index, lines, journal, unwritten, claims, bad, unread, notes } = this;
    return {
      ...{ index, lines, items: this.at.length, journal, unwritten, claims, bad, unread, notes },
      places: Float64Array.from(this.places),
      keys: Int32Array.from(this.keys),
      at: Int32Array.from(this.at),
    };
  }

  private place(item: number, file: number, offset: number, length: number): void {
    this.places[item * 3] = file;
    this.places[item * 3 + 1] = offset;
    this.places[item * 3 + 2] = length;
  }
}

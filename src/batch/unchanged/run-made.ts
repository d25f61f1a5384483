/**
 * What the summaries and pages of a run are made of, in the words of the journal:
 *
 *     <request>-<surroundings>-<places of the rows>
 *
 * It stands in the last line of the journal of a run that has ended well, in the record of the
 * output folder itself. The lines of the rows need no hash in it: they are the first ones of the
 * same file, which is only ever replaced as a whole.
 */
import { createHash, type Hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { hashOf } from '../canonical.js';
import type { Plan } from '../plan.js';
import type { RunSetup } from '../setup.js';

/** Which workflows get pages of their own; null: not even the run has one. */
export type Pages = 'all' | 'none' | null;

/** What is known before any source is read. */
export function givenOfRun({ spread }: Plan, made: RunSetup['made'], pages: Pages): string {
  const ofAnswers = Object.fromEntries(made.ofAnswers);
  return `${made.ofRun}-${hashOf({ ofAnswers, spread, pages })}`;
}

/** A row by its place in the input, and its page by what tells it from another one. */
export class RowPlaces {
  private readonly sum: Hash = createHash('sha256');
  private readonly numbers = new Float64Array(4096);
  private held = 0;

  /** `out` is the output folder, absolute. */
  constructor(
    private readonly out: string,
    private readonly pages: Pages,
  ) {}

  add(index: number, line: number | undefined, folder: string): void {
    if (this.held === this.numbers.length) this.flush();
    const page =
      this.pages === null
        ? undefined
        : statSync(`${this.out}/${folder}/report.html`, { throwIfNoEntry: false });
    this.numbers[this.held] = index;
    this.numbers[this.held + 1] = line ?? 0;
    this.numbers[this.held + 2] = page?.size ?? -1;
    this.numbers[this.held + 3] = page?.mtimeMs ?? -1;
    this.held += 4;
  }

  /** Of all that were added; none can be any more. */
  digest(): string {
    this.flush();
    return this.sum.digest('hex').slice(0, 16);
  }

  private flush(): void {
    this.sum.update(this.numbers.subarray(0, this.held));
    this.held = 0;
  }
}

/**
 * Where lines stand, in numbers that hold for a whole run: each thread, and each table of known
 * lines, counts files in its own way. Lines that no journal could take are kept themselves.
 */
import { LineReader } from '../journal/line-reader.js';
import { type BlockOutcome, Place } from '../setup.js';

export class LineStore {
  private readonly paths: string[] = [];
  private readonly unwritten: string[] = [];

  /** The places with our numbers; `known` are the paths that the numbers of files mean. */
  translated(
    { places, journal, unwritten }: Pick<BlockOutcome, 'places' | 'journal' | 'unwritten'>,
    known: readonly string[],
  ): Float64Array {
    const translated = Float64Array.from(places);
    for (let at = 0; at < places.length; at += 3) {
      const file = places[at] as number;
      if (file === Place.own) translated[at] = this.numberOf(journal);
      else if (file >= 0) translated[at] = this.numberOf(known[file] as string);
      else if (file === Place.unwritten) {
        translated[at + 1] = this.unwritten.push(unwritten[places[at + 1] as number] as string) - 1;
      }
    }
    return translated;
  }

  /** The number of a journal; -1 where no line stands in it. */
  find(path: string): number {
    return this.paths.indexOf(path);
  }

  /** To be closed by who asks for it. */
  openReader(): LineReader {
    return new LineReader((file) => this.paths[file] as string);
  }

  /** The line without its end; null where the item has none. */
  read(places: Float64Array, item: number, reader: LineReader): Buffer | null {
    const [file = 0, offset = 0, length = 0] = places.subarray(item * 3, item * 3 + 3);
    if (file === Place.none) return null;
    if (file === Place.unwritten) return Buffer.from((this.unwritten[offset] as string).trimEnd());
    return reader.read(file, { offset, length });
  }

  private numberOf(path: string): number {
    const known = this.find(path);
    return known === -1 ? this.paths.push(path) - 1 : known;
  }
}

/**
 * What the documents service keeps, as it shows it: resources of every kind, their lists, and the
 * contents of files, which can be downloaded from presigned addresses.
 */
import { createHash } from 'node:crypto';
import {
  type Answer,
  type Call,
  type Content,
  fileAnswer,
  type JsonObject,
  Refused,
} from './call.js';
import type { Clock } from './clock.js';

/** By the group of operations: what a resource is called, and what its id begins with. */
const kinds = {
  files: ['file', 'file_'],
  extractors: ['extractor', 'ex_'],
  'extractors.versions': ['extractor_version', 'exv_'],
  classifiers: ['classifier', 'cl_'],
  'classifiers.versions': ['classifier_version', 'clv_'],
  splitters: ['splitter', 'sp_'],
  'splitters.versions': ['splitter_version', 'spv_'],
  extractRuns: ['extract_run', 'exr_'],
  classifyRuns: ['classify_run', 'clr_'],
  splitRuns: ['split_run', 'spr_'],
  parseRuns: ['parse_run', 'pr_'],
  editRuns: ['edit_run', 'edr_'],
  workflows: ['workflow', 'workflow_'],
  workflowRuns: ['workflow_run', 'workflow_run_'],
  evaluationSets: ['evaluation_set', 'ev_'],
  'evaluationSets.items': ['evaluation_set_item', 'evi_'],
  'evaluationSets.runs': ['evaluation_set_run', 'evr_'],
} as const;

export type Kind = keyof typeof kinds;

/** A resource as answers have it. */
export interface Resource extends JsonObject {
  readonly object: string;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Kept {
  readonly kind: Kind;
  shown: Resource;
  /** What lists filter by beside what is shown; `parent` is the id of what it belongs to. */
  readonly facts: JsonObject;
  /** Counts in the order in which they came: equal times are told apart by it. */
  readonly sequence: number;
}

const paging = /^(?:sortBy|sortDir|nextPageToken|maxPageSize)$/;

export class Store {
  readonly #kept = new Map<string, Kept>();
  readonly #contents = new Map<string, Content>();
  readonly #counts = new Map<string, number>();
  #added = 0;

  constructor(
    readonly clock: Clock,
    readonly seed: number,
    /** Where the server listens; known once it does. */
    readonly origin: () => string,
  ) {}

  /** Each there once, and the same in every run with the same seed. */
  newId(prefix: string): string {
    const count = (this.#counts.get(prefix) ?? 0) + 1;
    this.#counts.set(prefix, count);
    return `${prefix}${digest(`${this.seed}:${prefix}${count}`).slice(0, 20)}`;
  }

  add(kind: Kind, fields: JsonObject, facts: JsonObject = {}): Resource {
    const [object, prefix] = kinds[kind];
    const id = this.newId(prefix);
    const at = this.clock.timestamp();
    const shown = { ...fields, object, id, createdAt: at, updatedAt: at };
    this.#added += 1;
    this.#kept.set(id, { kind, shown, facts, sequence: this.#added });
    return shown;
  }

  /** Keeps a file, and what is in it. */
  addFile(file: Content): Resource {
    const { name, type, content } = file;
    const metadata = { pageCount: 1, sizeBytes: content.byteLength };
    const { id } = this.add('files', { name, type, contents: null, metadata });
    return this.change('files', id, { presignedUrl: this.publish(id, file) });
  }

  all(kind: Kind, parent?: string): readonly Resource[] {
    const kept = [...this.#kept.values()].filter((each) => each.kind === kind);
    return kept.filter(({ facts }) => facts['parent'] === parent).map(({ shown }) => shown);
  }

  /** One of all of a kind, or of those that belong to the parent. */
  find(kind: Kind, id: string, parent?: string): Resource {
    return this.#find(kind, id, parent).shown;
  }

  #find(kind: Kind, id: string, parent?: string): Kept {
    const found = this.#kept.get(id);
    const isMeant = parent === undefined || found?.facts['parent'] === parent;
    if (found?.kind === kind && isMeant) return found;
    throw new Refused(404, `There is no ${kinds[kind][0].replaceAll('_', ' ')} with this id`);
  }

  kindOf(id: string): Kind | undefined {
    return this.#kept.get(id)?.kind;
  }

  change(kind: Kind, id: string, change: JsonObject): Resource {
    const updatedAt = this.clock.timestamp();
    const kept = { ...this.#find(kind, id) };
    const { object, createdAt } = kept.shown;
    kept.shown = { ...kept.shown, ...change, object, id, createdAt, updatedAt };
    this.#kept.set(id, kept);
    return kept.shown;
  }

  delete(kind: Kind, id: string, parent?: string): { readonly id: string } {
    this.find(kind, id, parent);
    this.#kept.delete(id);
    this.#contents.delete(id);
    return { id };
  }

  /**
   * One page of those that belong to the parent and fit the parameters that the table has for the
   * operation: `status` asks for an equal fact, `nameContains` for one that contains the text. Newest
   * first, as long as nothing else is asked for. A page token says after which place to go on, so
   * that pages neither repeat nor miss one when others come and go meanwhile.
   */
  page(kind: Kind, call: Call, parent?: string): object {
    const { operation, query } = call;
    const names = operation.query?.filter((name) => query.has(name) && !paging.test(name)) ?? [];
    const isWanted = ({ shown, facts }: Kept) =>
      facts['parent'] === parent &&
      names.every((name) => {
        const sent = query.get(name) ?? '';
        const fact = { ...shown, ...facts }[name.replace(/Contains$/, '')];
        return name.endsWith('Contains') ? String(fact).includes(sent) : fact === sent;
      });
    const size = call.integer('maxPageSize', 10);
    if (size < 1 || size > 1000) throw new Refused(400, 'maxPageSize must be from 1 to 1000');
    const time = call.oneOf('sortBy', ['createdAt', 'updatedAt']);
    const isUp = call.oneOf('sortDir', ['desc', 'asc']) === 'asc';
    const placeOf = ({ shown, sequence }: Kept) => `${shown[time]} ${`${sequence}`.padStart(12)}`;
    const follows = (a: string, b: string) => (isUp ? a > b : a < b);
    const start = Buffer.from(query.get('nextPageToken') ?? '', 'base64url').toString();
    const rest = [...this.#kept.values()]
      .filter((each) => each.kind === kind && isWanted(each))
      .filter((each) => start === '' || follows(placeOf(each), start))
      .sort((a, b) => (follows(placeOf(a), placeOf(b)) ? 1 : -1));
    const page = rest.slice(0, size);
    const last = rest.length > size ? page.at(-1) : undefined;
    const nextPageToken = last && Buffer.from(placeOf(last)).toString('base64url');
    return { object: 'list', data: page.map(({ shown }) => shown), nextPageToken };
  }

  content(id: string): Content {
    const found = this.#contents.get(id);
    if (found === undefined) throw new Refused(404, 'It was deleted');
    return found;
  }

  /** Keeps something to download, and returns its address, which is signed and asks for no key. */
  publish(id: string, content: Content): string {
    this.#contents.set(id, content);
    return `${this.origin()}/documents/downloads/${id}.${this.#signatureOf(id)}`;
  }

  download(name: string): Answer {
    const [id = '', signature] = name.split('.');
    if (signature !== this.#signatureOf(id)) throw new Refused(403, 'The address is not valid');
    const file = this.content(id);
    return fileAnswer(file.content, file.type, file.name);
  }

  #signatureOf(id: string): string {
    return digest(`${this.seed}: download ${id}`);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

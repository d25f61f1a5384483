/**
 * The state of the documents service: resources of every kind, their lists, and the contents of
 * files, which can be downloaded from presigned addresses.
 */
import { createHash } from 'node:crypto';
import { type Call, type Content, type JsonObject, Refused } from './call.js';
import type { Clock } from './clock.js';

/**
 * By group of operations: a resource's `object`, the prefix of its id, and the field with the id of
 * its owner.
 */
const kinds = {
  files: ['file', 'file_'],
  extractors: ['extractor', 'ex_'],
  'extractors.versions': ['extractor_version', 'exv_', 'extractorId'],
  classifiers: ['classifier', 'cl_'],
  'classifiers.versions': ['classifier_version', 'clv_', 'classifierId'],
  splitters: ['splitter', 'sp_'],
  'splitters.versions': ['splitter_version', 'spv_', 'splitterId'],
  extractRuns: ['extract_run', 'exr_'],
  classifyRuns: ['classify_run', 'clr_'],
  splitRuns: ['split_run', 'spr_'],
  parseRuns: ['parse_run', 'pr_'],
  editRuns: ['edit_run', 'edr_'],
  workflows: ['workflow', 'workflow_'],
  workflowRuns: ['workflow_run', 'workflow_run_'],
  evaluationSets: ['evaluation_set', 'ev_'],
  'evaluationSets.items': ['evaluation_set_item', 'evi_', 'evaluationSetId'],
  'evaluationSets.runs': ['evaluation_set_run', 'evr_', 'evaluationSetId'],
} as const satisfies Readonly<
  Record<string, readonly [object: string, id: string, owner?: string]>
>;

export type Kind = keyof typeof kinds;

/** A resource as it appears in answers. */
export interface Resource extends JsonObject {
  readonly object: string;
  readonly id: string;
}

const paging = /^(?:sortBy|sortDir|nextPageToken|maxPageSize)$/;

export class Store {
  readonly #kept = new Map<string, Resource>();
  readonly #contents = new Map<string, Content>();
  #ids = 0;

  constructor(
    readonly clock: Clock,
    readonly seed: number,
    /** The address of the server; known once it listens. */
    readonly origin: () => string,
  ) {}

  /** Ids are unique, sort by time, and are the same in every run with the same seed. */
  newId(prefix: string): string {
    this.#ids += 1;
    const place = `${this.#ids}`.padStart(8, '0');
    return `${prefix}${place}${this.#digest(place).slice(0, 12)}`;
  }

  add(kind: Kind, fields: JsonObject): Resource {
    const [object, prefix] = kinds[kind];
    const at = this.clock.timestamp();
    const added = { ...fields, object, id: this.newId(prefix), createdAt: at, updatedAt: at };
    this.#kept.set(added.id, added);
    return added;
  }

  /** Stores a file with its content. */
  addFile(file: Content): Resource {
    const { name, type, content } = file;
    const metadata = { pageCount: 1, sizeBytes: content.byteLength };
    const { id } = this.add('files', { name, type, contents: null, metadata });
    return this.change('files', id, { presignedUrl: this.publish(id, file) });
  }

  /** Lists everything of a kind, or what belongs to an owner, oldest first. */
  all(kind: Kind, owner?: string): readonly Resource[] {
    const [object, , field = ''] = kinds[kind];
    return [...this.#kept.values()].filter(
      (each) => each.object === object && (owner === undefined || each[field] === owner),
    );
  }

  find(kind: Kind, id: string, owner?: string): Resource {
    const [object, , field = ''] = kinds[kind];
    const found = this.#kept.get(id);
    const isOwned = owner === undefined || found?.[field] === owner;
    if (found?.object === object && isOwned) return found;
    throw new Refused(404, `There is no ${object.replaceAll('_', ' ')} with this id`);
  }

  change(kind: Kind, id: string, change: JsonObject): Resource {
    const { object, createdAt, ...before } = this.find(kind, id);
    const updatedAt = this.clock.timestamp();
    const changed = { ...before, ...change, object, id, createdAt, updatedAt };
    this.#kept.set(id, changed);
    return changed;
  }

  delete(kind: Kind, id: string, owner?: string): { readonly id: string } {
    this.find(kind, id, owner);
    this.#kept.delete(id);
    this.#contents.delete(id);
    return { id };
  }

  /**
   * One page of the owner's resources that match the operation's query parameters: `status` must be
   * equal, `nameContains` must be part of the name. Newest first by default. A page token names the
   * position to continue after, so no entry is repeated or missed if others come or go in the
   * meantime.
   */
  page(kind: Kind, call: Call, owner?: string): object {
    const { operation, query } = call;
    const names = operation.query?.filter((name) => query.has(name) && !paging.test(name)) ?? [];
    const isWanted = (each: Resource) =>
      names.every((name) => {
        const sent = query.get(name) ?? '';
        const value = each[name.replace(/Contains$/, '')];
        return name.endsWith('Contains') ? String(value).includes(sent) : value === sent;
      });
    const size = call.integer('maxPageSize', 10);
    if (size < 1 || size > 1000) throw new Refused(400, 'maxPageSize must be from 1 to 1000');
    const time = call.oneOf('sortBy', ['createdAt', 'updatedAt']);
    const isUp = call.oneOf('sortDir', ['desc', 'asc']) === 'asc';
    // Ids of a kind sort by time, too, so they order equal times.
    const placeOf = (each: Resource) => `${each[time]} ${each.id}`;
    const follows = (a: string, b: string) => (isUp ? a > b : a < b);
    const start = Buffer.from(query.get('nextPageToken') ?? '', 'base64url').toString();
    const rest = this.all(kind, owner)
      .filter((each) => isWanted(each) && (start === '' || follows(placeOf(each), start)))
      .sort((a, b) => (follows(placeOf(a), placeOf(b)) ? 1 : -1));
    const data = rest.slice(0, size);
    const last = rest.length > size ? data.at(-1) : undefined;
    const nextPageToken = last && Buffer.from(placeOf(last)).toString('base64url');
    return { object: 'list', data, nextPageToken };
  }

  content(id: string): Content {
    const found = this.#contents.get(id);
    if (found === undefined) throw new Refused(404, 'It was deleted');
    return found;
  }

  /** Stores a download, and returns its address, which is signed and needs no key. */
  publish(id: string, content: Content): string {
    this.#contents.set(id, content);
    return `${this.origin()}/documents/downloads/${id}.${this.#digest(`download ${id}`)}`;
  }

  /** The content at a signed address. */
  download(name: string): Content {
    const [id = '', signature] = name.split('.');
    if (signature === this.#digest(`download ${id}`)) return this.content(id);
    throw new Refused(403, 'The address is not valid');
  }

  #digest(text: string): string {
    return createHash('sha256').update(`${this.seed}: ${text}`).digest('hex');
  }
}

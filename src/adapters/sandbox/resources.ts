/**
 * What the documents service keeps, as it shows it: resources of every kind with their lists, and
 * what can be downloaded from presigned addresses.
 */
import { createHash } from 'node:crypto';
import { type Answer, type Call, fileAnswer, isObject, type JsonObject, Refused } from './call.js';
import type { Schedule } from './clock.js';

/** What all parts of the documents API share. */
export interface World {
  readonly clock: Schedule;
  /** Base address of the API; known once the server listens. */
  readonly baseUrl: () => string;
  /** Ids are each there once, and the same in every run with the same seed. */
  newId(prefix: string): string;
}

export function createWorld(clock: Schedule, seed: number, baseUrl: () => string): World {
  const counts = new Map<string, number>();
  const newId = (prefix: string) => {
    const count = (counts.get(prefix) ?? 0) + 1;
    counts.set(prefix, count);
    return `${prefix}${digest(`${seed}:${prefix}${count}`).slice(0, 20)}`;
  };
  return { clock, baseUrl, newId };
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** A resource as answers have it. */
export interface Resource extends JsonObject {
  readonly object: string;
  readonly id: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

interface Kept {
  readonly shown: Resource;
  /** What lists filter by beside what is shown; `parentId` names the resource that it belongs to. */
  readonly facts: JsonObject;
  /** Counts in the order in which they came: equal times are told apart by it. */
  readonly sequence: number;
}

const paging = /^(?:sortBy|sortDir|nextPageToken|maxPageSize)$/;

export class Collection {
  readonly #kept = new Map<string, Kept>();
  #added = 0;

  constructor(
    readonly world: World,
    readonly object: string,
    readonly prefix: string,
    /** What is made anew each time that one is shown. */
    readonly fresh: (id: string) => object = () => ({}),
  ) {}

  add(fields: JsonObject, facts: JsonObject = {}): Resource {
    const at = this.world.clock.timestamp();
    const id = this.world.newId(this.prefix);
    const shown = { object: this.object, id, ...fields, createdAt: at, updatedAt: at };
    this.#added += 1;
    this.#kept.set(id, { shown, facts, sequence: this.#added });
    return this.show(shown);
  }

  all(): readonly Resource[] {
    return [...this.#kept.values()].map(({ shown }) => shown);
  }

  /** One of all, or of those that belong to the parent. */
  find(id: string, parentId?: string): Resource {
    const found = this.#kept.get(id);
    const belongs = parentId === undefined || found?.facts.parentId === parentId;
    if (found !== undefined && belongs) return this.show(found.shown);
    throw new Refused(404, `There is no ${this.object.replaceAll('_', ' ')} with this id`);
  }

  has(id: string): boolean {
    return this.#kept.has(id);
  }

  change(id: string, change: JsonObject): Resource {
    this.find(id);
    const updatedAt = this.world.clock.timestamp();
    Object.assign(this.#kept.get(id)?.shown ?? {}, change, { updatedAt });
    return this.find(id);
  }

  delete(id: string, parentId?: string): { readonly id: string } {
    this.find(id, parentId);
    this.#kept.delete(id);
    return { id };
  }

  show(shown: Resource): Resource {
    return { ...shown, ...this.fresh(shown.id) };
  }

  /**
   * One page of those that belong to the parent and fit the parameters that the table has for the
   * operation: `status` asks for an equal fact, `nameContains` for one that contains the text. Newest
   * first, as long as nothing else is asked for. A page token says after which place to go on, so
   * that pages neither repeat nor miss one when others come and go meanwhile.
   */
  page(call: Call, parentId?: string): object {
    const { operation, query } = call;
    const names = operation.query?.filter((name) => query.has(name) && !paging.test(name)) ?? [];
    const isWanted = ({ shown, facts }: Kept) =>
      facts.parentId === parentId &&
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
      .filter((each) => isWanted(each) && (start === '' || follows(placeOf(each), start)))
      .sort((a, b) => (follows(placeOf(a), placeOf(b)) ? 1 : -1));
    const page = rest.slice(0, size);
    const last = rest.length > size ? page.at(-1) : undefined;
    const nextPageToken = last && Buffer.from(placeOf(last)).toString('base64url');
    return { object: 'list', data: page.map(({ shown }) => this.show(shown)), nextPageToken };
  }
}

export interface Content {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

/**
 * What can be downloaded: whoever has a presigned address may do so for a quarter of an hour, without
 * a credential.
 */
export class Downloads {
  readonly #published = new Map<string, Content>();

  constructor(readonly world: World) {}

  publish(id: string, content: Content): void {
    this.#published.set(id, content);
  }

  find(id: string): Content {
    const found = this.#published.get(id);
    if (found === undefined) throw new Refused(404, 'It was deleted');
    return found;
  }

  withdraw(id: string): void {
    this.#published.delete(id);
  }

  addressOf(id: string): string {
    const expires = String(this.world.clock.now() + 15 * 60 * 1000);
    const query = new URLSearchParams({ expires, signature: this.#sign(id, expires) });
    return `${this.world.baseUrl()}/downloads/${id}?${query}`;
  }

  answer(call: Call): Answer {
    const id = call.param('id');
    const expires = call.query.get('expires') ?? '';
    const isSigned = call.query.get('signature') === this.#sign(id, expires);
    if (!isSigned || Number(expires) <= this.world.clock.now()) {
      throw new Refused(403, 'The address is not valid any longer');
    }
    const { content, type, name } = this.find(id);
    return fileAnswer(content, type, name);
  }

  #sign(id: string, expires: string): string {
    return digest(`download ${id} until ${expires}`);
  }
}

/** Uploaded files, and those that requests bring. A password that comes with one is forgotten. */
export class Files extends Collection {
  constructor(
    world: World,
    readonly downloads: Downloads,
  ) {
    super(world, 'file', 'file_', (id) => ({ presignedUrl: downloads.addressOf(id) }));
  }

  put(content: Content): Resource {
    const { name, type } = content;
    const metadata = { pageCount: 1, sizeBytes: content.content.byteLength };
    const file = this.add({ name, type, parentFileId: null, contents: null, metadata });
    this.downloads.publish(file.id, content);
    return file;
  }

  /** The same content once more. */
  edited(original: Content): object {
    const { id, presignedUrl } = this.put({ ...original, name: `edited-${original.name}` });
    return { editedFile: { id, presignedUrl }, filledValues: {} };
  }

  /**
   * The file that a request names: one that was uploaded, an address, or a text. Nothing is fetched
   * from an address: such a file is one whose content is not known.
   */
  named(reference: unknown): Resource {
    if (!isObject(reference)) throw new Refused(400, 'file must be an object');
    // `name` today, `fileName` in the specification's workflow runs.
    const { id, url, text: sent, name: given = reference.fileName } = reference;
    if (typeof id === 'string') return this.find(id);
    if (typeof sent === 'string') {
      const type = 'text/plain; charset=utf-8';
      return this.put({ name: `${given ?? 'text.txt'}`, type, content: Buffer.from(sent) });
    }
    if (typeof url !== 'string' || !/^https?:/i.test(url) || !URL.canParse(url)) {
      throw new Refused(400, 'file must have an id, a text, or a url that is one');
    }
    const name = `${given ?? (new URL(url).pathname.split('/').at(-1) || 'file')}`;
    return this.put({ name, type: 'application/octet-stream', content: Buffer.alloc(0) });
  }
}

/** What a reader makes of a file: its text, or its name where it has none. */
export function textOf({ name, content }: Content): string {
  return content.byteLength > 0 ? content.toString() : name;
}

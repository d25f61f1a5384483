/**
 * Presigned addresses: whoever has one may download what it names for a quarter of an hour, without
 * a credential.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Answer, fileAnswer, jsonAnswer, Refused } from '../answer.js';
import type { Api } from '../answer-request.js';
import { type Call, pathParameter, queryParameter } from '../call.js';
import { createRouter } from '../routes.js';
import type { Workspace } from './workspace.js';

const lifetimeMs = 15 * 60 * 1000;

export interface Download {
  readonly name: string;
  readonly contentType: string;
  readonly content: Uint8Array;
}

export interface Downloads {
  readonly api: Api;
  /** Address of what has this id among the downloads. */
  addressOf(id: string): string;
  publish(id: string, download: Download): void;
  withdraw(id: string): void;
}

export function createDownloads(
  { clock, origin }: Pick<Workspace, 'clock' | 'origin'>,
  seed: number,
): Downloads {
  const published = new Map<string, Download>();
  const signatureOf = (id: string, expires: string): Buffer =>
    createHmac('sha256', `downloads ${seed}`).update(`${id}:${expires}`).digest();
  const download = (call: Call): Answer => {
    const id = pathParameter(call, 'id');
    const expires = queryParameter(call, 'expires') ?? '';
    const sent = Buffer.from(queryParameter(call, 'signature') ?? '', 'hex');
    const expected = signatureOf(id, expires);
    const good = sent.byteLength === expected.byteLength && timingSafeEqual(sent, expected);
    if (!good || Number(expires) <= clock.now()) {
      throw new Refused(403, 'The address is not valid any longer');
    }
    const found = published.get(id);
    if (found === undefined) throw new Refused(404, 'It was deleted');
    return fileAnswer(found.content, found.contentType, found.name);
  };
  return {
    publish: (id, each) => published.set(id, each),
    withdraw: (id) => published.delete(id),
    addressOf(id) {
      const expires = String(clock.now() + lifetimeMs);
      const signature = signatureOf(id, expires).toString('hex');
      return `${origin()}/downloads/${id}?expires=${expires}&signature=${signature}`;
    },
    api: {
      prefix: '/downloads',
      router: createRouter([
        { operation: 'downloads.get', method: 'GET', template: '/{id}', act: download },
      ]),
      admit() {},
      refusal: ({ status, message }) => jsonAnswer(status, { message }),
      declined: () => null,
    },
  };
}

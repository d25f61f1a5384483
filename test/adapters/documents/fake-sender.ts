/** A sender that records what it is given and answers as it is told. */

import type { Operation } from '../../../src/adapters/http/operation.js';
import type { CallOptions, SendArguments } from '../../../src/adapters/http/request.js';
import type { Sender } from '../../../src/adapters/http/send.js';

export interface Sent {
  readonly operation: Operation;
  readonly given: SendArguments;
  readonly options: CallOptions | undefined;
}

export interface FakeSender extends Sender {
  readonly sent: Sent[];
}

export function fakeSender(
  answer: (sent: Sent, count: number) => unknown = () => ({}),
): FakeSender {
  const sent: Sent[] = [];
  return {
    sent,
    async send(operation, given = {}, options) {
      sent.push({ operation, given, options });
      return answer({ operation, given, options }, sent.length);
    },
    close: async () => {},
  };
}

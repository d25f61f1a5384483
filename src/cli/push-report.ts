/** What `squadc push` says of each squad. */

import { redact } from '../compiler/ir/secrets.js';
import type { ApiKey } from '../platform/api-key.js';
import type { Push, Pushed } from '../platform/push.js';
import type { Io } from './io.js';
import { faultText, lines } from './platform-faults.js';
import { count } from './summary.js';
import { printable } from './terminal.js';

/** What would be sent: no content, which may hold secrets. */
export function requestText({ file, body }: Push, baseUrl: string): string {
  const name = body.name === null ? '' : `  squad: ${body.name}\n`;
  const members = body.members.map((member) => `  member: ${member}\n`).join('');
  return printable(
    `${file}: POST ${baseUrl}/squad, ${body.bytes} bytes, ${count(body.members.length, 'member')}\n${name}${members}`,
  );
}

/** Says what became of a squad; whether it is there. */
export function reportPushed(pushed: Pushed, key: ApiKey, io: Io): boolean {
  const { push } = pushed;
  switch (pushed.kind) {
    case 'created':
      io.stdout.write(printable(`${push.file}: created squad ${pushed.id}\n`));
      return true;
    case 'already':
      io.stdout.write(alreadyText(push, pushed.id));
      return true;
    case 'doubtful':
      io.stderr.write(doubtText(push, pushed.at));
      return false;
    case 'no-id':
      io.stderr.write(lostText(push, 'the server accepted the squad, but its answer names no id'));
      return false;
    case 'not-tried':
      io.stderr.write(
        lines(push.file, 'platform/not-tried', 'it was not sent', 'Mend the fault above first.'),
      );
      return false;
    case 'fault': {
      const { fault } = pushed;
      io.stderr.write(
        faultText(push.file, { ...fault, detail: covered(fault.detail, push) }, key.source),
      );
      if (fault.mayHaveActed) {
        io.stderr.write(lostText(push, 'the request was sent, so that the squad may exist'));
      }
      return false;
    }
  }
}

/** A server may repeat what it was sent; the secrets of a squad are hidden there. */
function covered(detail: string | null, { body }: Push): string | null {
  const hidden = redact({ squad: JSON.parse(body.text), detail });
  const text = (hidden as { readonly detail: unknown }).detail;
  return typeof text === 'string' ? text : null;
}

/** That there is nothing to do. */
export function alreadyText({ file }: Push, id: string): string {
  return printable(`${file}: created before as squad ${id}; nothing to send\n`);
}

/** That an earlier request left it open. */
export function doubtText({ file, body }: Push, at: string): string {
  return lines(
    file,
    'push/unknown',
    `a request of ${at} may have created it, and its result is not known`,
    `Look on the platform for a squad ${JSON.stringify(body.name ?? '')}. Where there is none, push again with --retry-unknown.`,
  );
}

function lostText({ file, body }: Push, what: string): string {
  return lines(
    file,
    'push/unknown',
    what,
    `Look on the platform for a squad ${JSON.stringify(body.name ?? '')}; it is not sent again without --retry-unknown.`,
  );
}

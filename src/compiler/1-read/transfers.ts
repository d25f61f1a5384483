/** The destinations of transfers, and what is said about them. */
import { isObject } from '../../text/json.js';
import { child } from '../../text/pointer.js';
import { fromSource, traced } from '../ir/provenance.js';
import { isE164 } from '../ir/tool.js';
import type { Text, Transfer } from '../ir/workflow.js';
import { names } from './dialect.js';
import type { Reading } from './reading.js';
import { textAt, textsWithin } from './template.js';

/** A transfer without any information. */
const unknownTransfer: Transfer = {
  destination: null,
  address: null,
  message: null,
  description: null,
  passed: [],
  passedTexts: [],
  others: [],
  messages: null,
};

/** The destinations of a transfer tool, or of a node that contains them itself. */
export function takeTransfer(holder: Reading): Transfer {
  // A plan beside the destination contains only the message; a plan inside has more.
  const plan = holder.takeInside('transferPlan');
  const message = plan && takeMessage(plan);
  const listed = holder.takeInsides('destinations').map((destination, index) => {
    const read = readDestination(destination);
    // A question asks for the first one.
    if (index > 0 && read.destination === null) {
      const args = { field: 'number', of: 'a destination' };
      destination.report('shape/missing-field', destination.at, args);
    }
    return read;
  });
  const isInside = isObject(holder.value['destination']);
  const inside = isInside ? holder.takeInside('destination') : null;
  const own = inside === null ? takeAddress(holder) : readDestination(inside);
  const [first = unknownTransfer, ...others] = own === null ? listed : [...listed, own];
  return { ...first, message: first.message ?? message, others };
}

/** What the caller is told; an empty text means silence, an absent one the platform's own line. */
function takeMessage(holder: Reading): Text | null {
  const isSilent = holder.has('message') && holder.value['message'] === '';
  const said = holder.takeText('message');
  return isSilent ? { value: '', at: child(holder.at, 'message'), uses: [] } : said;
}

function readDestination(destination: Reading): Transfer {
  const { at, faults } = destination;
  const type = destination.takeString('type')?.value.toLowerCase() ?? 'number';
  if (type !== 'number' && type !== 'sip') {
    const args = { field: 'type', expected: '"number" or "sip"', found: JSON.stringify(type) };
    destination.report('shape/wrong-type', child(at, 'type'), args);
  }
  const address = takeAddress(destination) ?? unknownTransfer;
  // Whether the number is checked follows from the number.
  destination.take('numberE164CheckEnabled');
  // A message may be an object with its own words for each language or voice.
  const ownWords = isObject(destination.value['message']) ? ['message'] : [];
  const fields = ['callerId', 'extension', 'sipHeaders', 'transferPlan', ...ownWords];
  const passed = destination.takeSettings(fields);
  const message = ownWords.length > 0 ? null : takeMessage(destination);
  const description = destination.takeText('description');
  const passedTexts = passed.flatMap(({ key, value }) =>
    textsWithin(value.value, child(at, key), faults),
  );
  return { ...address, message, description, passed, passedTexts };
}

/** A number or a SIP address; null if absent. White space counts as absent. */
function takeAddress(holder: Reading): Transfer | null {
  const found = holder.takeString(...names.address);
  if (found === null || found.value.trim() === '') {
    return names.address.some((field) => holder.has(field)) ? unknownTransfer : null;
  }
  const { value, at } = found;
  const address = textAt(value, at, holder.faults);
  holder.checkPlaceholder(address);
  const isSip = /^sips?:/i.test(value);
  if (!isSip && !isE164(value)) holder.report('flow/not-e164', at, { number: value });
  const destination = isSip
    ? ({ type: 'sip', sipUri: value } as const)
    : ({ type: 'number', number: value } as const);
  return { ...unknownTransfer, destination: traced(destination, fromSource(at)), address };
}

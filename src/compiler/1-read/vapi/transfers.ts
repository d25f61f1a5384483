/** Where a node transfers the call to, and what is said then. */
import { diagnose } from '../../../diagnostics/diagnose.js';
import { child } from '../../ir/ids.js';
import { isJsonObject } from '../../ir/json.js';
import type { NamedSetting, Transfer } from '../../ir/workflow.js';
import { readString } from '../fields.js';
import { nowhere, readAddress } from '../read-transfer.js';
import { textsWithin } from '../texts.js';
import {
  type Reading,
  take,
  takeInside,
  takeInsides,
  takeString,
  takeText,
  takeValue,
} from './reading.js';

const addressFields = ['number', 'sipUri', 'phoneNumber'];
/** What a destination says beside its address and its message. */
const passedFields = ['callerId', 'extension', 'sipHeaders', 'transferPlan'];

/** The destinations of a transfer tool, or of a node that says them itself. */
export function takeTransfer(holder: Reading): Transfer {
  // A plan beside the destination has nothing but what is said; one inside of it has more.
  const plan = takeInside(holder, 'transferPlan');
  const message = plan === null ? null : takeText(plan, 'message');
  const [first = nowhere, ...others] = takeDestinations(holder);
  return { ...first, message: first.message ?? message, others };
}

function takeDestinations(holder: Reading): Transfer[] {
  const listed = takeInsides(holder, 'destinations').map(readDestination);
  if (isJsonObject(holder.value['destination'])) {
    const inside = takeInside(holder, 'destination');
    return [...listed, ...(inside === null ? [] : [readDestination(inside)])];
  }
  const field = take(holder, 'destination', ...addressFields);
  return field === null ? listed : [...listed, { ...nowhere, ...addressIn(holder, field) }];
}

function readDestination(destination: Reading): Transfer {
  const type = takeString(destination, 'type')?.toLowerCase() ?? 'number';
  if (type !== 'number' && type !== 'sip') {
    const at = child(destination.at, 'type');
    const args = { field: 'type', expected: '"number" or "sip"', found: JSON.stringify(type) };
    destination.faults.push(diagnose('shape/wrong-type', at, args));
  }
  const field = take(destination, ...addressFields);
  // Whether the number is checked follows from the number.
  take(destination, 'numberE164CheckEnabled');
  const passed = passedFields.flatMap((key): NamedSetting[] => {
    const value = takeValue(destination, key);
    return value === null ? [] : [{ key, value }];
  });
  return {
    ...nowhere,
    ...(field === null ? {} : addressIn(destination, field)),
    message: takeText(destination, 'message'),
    description: takeText(destination, 'description'),
    passed,
    passedTexts: passed.flatMap(({ key, value }) =>
      textsWithin(value.value, child(destination.at, key), destination.faults),
    ),
  };
}

function addressIn(holder: Reading, field: string) {
  const value = readString(holder, field);
  return value === null ? {} : readAddress(value, child(holder.at, field), holder.faults);
}

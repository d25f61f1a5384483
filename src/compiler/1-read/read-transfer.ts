/** Where a transferCall node leads, and what is said then (spec/3, "Workflow (input)"). */
import { diagnose } from '../../diagnostics/diagnose.js';
import { child, type JsonPointer } from '../ir/ids.js';
import { isE164 } from '../ir/phone-numbers.js';
import { fromSource, traced } from '../ir/provenance.js';
import type { Diagnostic } from '../ir/result.js';
import type { Transfer } from '../ir/workflow.js';
import {
  noteUnknownFields,
  readObject,
  readString,
  type Source,
  type UnknownField,
} from './fields.js';
import { readText, textAt } from './texts.js';

export const transferFields = ['destination', 'transferPlan'] as const;
const planFields = new Set(['message']);

/** A transfer of which nothing is known. */
export const nowhere: Transfer = {
  destination: null,
  address: null,
  message: null,
  description: null,
  passed: [],
  passedTexts: [],
  others: [],
};

export function readTransfer(source: Source, unknown: UnknownField[]): Transfer {
  const plan = readObject(source, 'transferPlan');
  const at = child(source.at, 'transferPlan');
  const planSource = { value: plan ?? {}, at, faults: source.faults };
  noteUnknownFields(planSource, planFields, unknown);
  const value = readString(source, 'destination');
  return {
    ...nowhere,
    ...(value === null ? {} : readAddress(value, child(source.at, 'destination'), source.faults)),
    message: readText(planSource, 'message'),
  };
}

/** A number or a SIP address; white space alone says nothing. */
export function readAddress(
  value: string,
  at: JsonPointer,
  faults: Diagnostic[],
): Pick<Transfer, 'destination' | 'address'> {
  if (value.trim() === '') return { destination: null, address: null };
  const address = textAt(value, at, faults);
  const origin = fromSource(at);
  if (/^sips?:/i.test(value)) {
    return { destination: traced({ type: 'sip', sipUri: value }, origin), address };
  }
  if (!isE164(value)) faults.push(diagnose('flow/not-e164', at, { number: value }));
  return { destination: traced({ type: 'number', number: value }, origin), address };
}

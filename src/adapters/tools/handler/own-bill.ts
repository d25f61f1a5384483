/**
 * Looks at a bill before anything is done with it.
 *
 * A caller names bills by numbers, and numbers can be guessed. The credential opens all bills of its
 * owner; whether this one belongs to the account that is bound, only the bill itself tells.
 * Guarantee: one of another account is told from none at all by nothing that is said.
 */
import type { BillRecord, BillsClient, GetBillResponse } from '../../../bills.js';
import type { CallOptions } from '../../http/options.js';
import type { Account } from './binding.js';
import { factsOf } from './failure.js';

/** The answer with the bill; null where the account has none of this number. */
export async function ownBill(
  bills: BillsClient,
  idBill: number,
  account: Account,
  options: CallOptions,
): Promise<GetBillResponse | null> {
  try {
    const answer = await bills.get(idBill, options);
    return isOf(answer.responseData ?? {}, account) ? answer : null;
  } catch (error) {
    // The service has no status of its own for a bill that is not there.
    if (/^(?:400|404|410)$/.test(`${factsOf(error).status}`)) return null;
    throw error;
  }
}

/** What is bound of both must be so; a bill that does not tell is not this account's. */
function isOf(bill: BillRecord, { entry, orgId }: Account): boolean {
  if (entry === undefined && orgId === undefined) return false;
  const ofEntry = entry === undefined || bill.PaypointEntryname === entry;
  return ofEntry && (orgId === undefined || bill.ParentOrgId === orgId);
}

/** Whether the bill lists a file of this name: nothing else is asked for. */
export function hasFile({ responseData }: GetBillResponse, filename: unknown): boolean {
  const files = responseData?.DocumentsRef?.filelist ?? [];
  return files.some(({ zipName }) => zipName === filename);
}

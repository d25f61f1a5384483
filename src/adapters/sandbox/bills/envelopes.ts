/** The envelopes that answers about bills come in. */
import { type Answer, jsonAnswer, type Refused } from '../answer.js';

/** BillResponse, EditBillResponse and, with a bill in it, GetBillResponse. */
export function billResponse(responseData: unknown): Answer {
  return jsonAnswer(200, {
    responseCode: 1,
    pageIdentifier: null,
    roomId: 0,
    isSuccess: true,
    responseText: 'Success',
    responseData,
  });
}

/** ModifyApprovalBillResponse and SetApprovedBillResponse. */
export function approvalResponse(idBill: number): Answer {
  return jsonAnswer(200, { isSuccess: true, responseData: idBill, responseText: 'Success' });
}

export function billRefusal({ status, message, advice }: Refused): Answer {
  return jsonAnswer(status, {
    isSuccess: false,
    responseCode: status,
    responseText: titles.get(status) ?? 'Declined',
    responseData: { explanation: message, todoAction: advice ?? '' },
  });
}

/** A success in status that is none. */
export function billDeclined(): Answer {
  return jsonAnswer(200, {
    isSuccess: false,
    responseCode: 2,
    responseText: 'Declined',
    responseData: 'The request was declined',
  });
}

const titles: ReadonlyMap<number, string> = new Map([
  [400, 'Bad Request'],
  [401, 'Unauthorized'],
  [404, 'Not Found'],
  [409, 'Conflict'],
  [429, 'Too Many Requests'],
  [500, 'Internal Server Error'],
  [503, 'Service Unavailable'],
]);

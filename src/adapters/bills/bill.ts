/**
 * What is sent: a bill, and the parts of one. Sections are those of the bills specification.
 *
 * The service judges what it is sent; these types guide. Nothing is demanded by them, as nothing is
 * known to be.
 */

/** A day of the calendar, YYYY-MM-DD. A client refuses another form (`api/invalid-argument`). */
export type DateText = string;

/** How often a scheduled bill comes. The values that are known; others may come. */
export type Frequency =
  | 'onetime'
  | 'weekly'
  | 'every2weeks'
  | 'monthly'
  | 'every3months'
  | 'every6months'
  | 'annually'
  | (string & {});

/**
 * Section "States and transitions". The values that are known: -99 cancelled, 1 active, 2 sent to approval, 5 partially approved,
 * 11 disapproved, 20 approved, 50 in transit, 100 paid.
 */
export type BillStatus = number;

/**
 * A bill to create, or what to change of one. Section "Bill request record". Amounts are numbers in
 * units of the currency, with its cents behind the point (12.5), not in cents.
 */
export interface Bill {
  billNumber?: string;
  netAmount?: number;
  billDate?: DateText;
  dueDate?: DateText;
  comments?: string;
  billItems?: BillItem[];
  /** 0: once; 1: by a schedule. */
  mode?: number;
  accountingField1?: string;
  /** Whom the bill is from. */
  vendor?: { vendorNumber?: string; [field: string]: unknown };
  /** End of the schedule. */
  endDate?: DateText;
  frequency?: Frequency;
  /** Example: NET30. */
  terms?: string;
  status?: BillStatus;
  attachments?: Attachment[];
}

/** A line of a bill. Section "Bill item". Amounts as in a {@link Bill}. */
export interface BillItem {
  itemProductCode?: string;
  itemProductName?: string;
  itemDescription?: string;
  itemCommodityCode?: string;
  itemUnitOfMeasure?: string;
  itemCost?: number;
  itemQty?: number;
  itemMode?: number;
  itemCategories?: string[] | null;
  itemTotalAmount?: number;
  itemTaxAmount?: number;
  /** A fraction: 0.07 is seven per cent. */
  itemTaxRate?: number;
}

/** A file of a bill. Section "Attachment and file content". */
export interface Attachment {
  /** Kind of the file, for example `pdf`. */
  ftype?: string;
  filename?: string;
  /** Where the file is. */
  furl?: string;
  /** The file itself, in Base64. */
  fContent?: string;
}

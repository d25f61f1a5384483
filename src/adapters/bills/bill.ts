/**
 * What is sent: a bill, and the parts of one.
 *
 * The service judges what it is sent; these types guide. Nothing is demanded by them, as nothing is
 * known to be.
 */

/** YYYY-MM-DD. */
export type DateText = string;

/** The values that are known; others may come. */
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
 * The values that are known: -99 cancelled, 1 active, 2 sent to approval, 5 partially approved,
 * 11 disapproved, 20 approved, 50 in transit, 100 paid.
 */
export type BillStatus = number;

/** A bill to create, or what to change of one. */
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
  /** A fraction. */
  itemTaxRate?: number;
}

export interface Attachment {
  /** Kind of the file, for example `pdf`. */
  ftype?: string;
  filename?: string;
  /** Where the file is. */
  furl?: string;
  /** The file itself, in Base64. */
  fContent?: string;
}

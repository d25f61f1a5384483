/**
 * The fields by which bills are filtered, each with its operators; one table per list operation,
 * and the types that follow from them.
 *
 * The names stand in the query as they stand here: the service tells capitals from small letters.
 */

const equal = ['eq', 'ne'] as const;
const oneOf = ['eq', 'ne', 'in', 'nin'] as const;
const contained = ['eq', 'ne', 'ct', 'nct'] as const;

/** Of the bills of an organization. */
export const orgFilterFields = {
  frequency: oneOf,
  method: oneOf,
  event: oneOf,
  target: contained,
  status: equal,
  approvalUserId: equal,
  approvalUserEmail: equal,
  parentOrgId: oneOf,
} as const;

/** Of the bills of an entrypoint. */
export const filterFields = { ...orgFilterFields, scheduleId: equal } as const;

export type FilterTable = Readonly<Record<string, readonly string[]>>;

export type FilterValue = string | number;

/** One condition per field and operator of a table; `in` and `nin` take lists. */
type FilterOf<Table extends FilterTable> = {
  [Field in keyof Table]: {
    [Operator in Table[Field][number]]: {
      readonly field: Field;
      readonly op: Operator;
      readonly value: Operator extends 'in' | 'nin' ? readonly FilterValue[] : FilterValue;
    };
  }[Table[Field][number]];
}[keyof Table];

export type BillFilter = FilterOf<typeof filterFields>;

export type OrgBillFilter = FilterOf<typeof orgFilterFields>;

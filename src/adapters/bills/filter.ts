/** The conditions that lists are filtered by, typed by the tables of operations.ts. */
import type { FilterTable, filterFields, orgFilterFields } from './operations.js';

/** What a field is compared with; texts are not empty. */
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

/**
 * A condition on an entrypoint's bills. Section "Filters": eq equal, ne not equal, ct contains, nct
 * does not contain, in one of a list, nin none of a list.
 */
export type BillFilter = FilterOf<typeof filterFields>;

/** A condition on an organization's bills. */
export type OrgBillFilter = FilterOf<typeof orgFilterFields>;

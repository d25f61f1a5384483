/** A workflow as the fleet's page tells it to its script: an array, as there are thousands. */
export type FleetRow = readonly [
  name: string,
  /** Where it stands in the input; the source with its line. */
  source: string,
  key: string,
  status: string,
  /** The letter and the size. */
  level: string,
  nodes: number,
  assistants: number,
  questions: number,
  /** Kinds of its open questions, for the filter. */
  kinds: string,
  errors: number,
  warnings: number,
  minutes: number,
  /** Address of its page or its result; empty where it has neither. */
  address: string,
];

/** What can be sorted by, with the place in a row. */
export const columns = {
  name: 0,
  source: 1,
  status: 3,
  level: 4,
  nodes: 5,
  assistants: 6,
  questions: 7,
  errors: 9,
  warnings: 10,
  minutes: 11,
} as const;

export type Column = keyof typeof columns;

/** Statuses, the gravest first; sorting goes by this order. */
export const statusOrder = ['failed', 'invalid', 'needs-answers', 'complete'] as const;

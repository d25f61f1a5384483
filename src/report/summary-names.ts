/** The files that the summary of a run is made of. */
export const summaryNames = ['summary.csv', 'summary.md', 'summary.sarif', 'summary.json'] as const;
export type SummaryName = (typeof summaryNames)[number];

/** An answer that asked for what an item of the checklist forbids. */
export interface Waiver {
  readonly item: number;
  readonly question: string;
}

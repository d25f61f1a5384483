/** What a command or a client says with a code, beside diagnostics: the form of its long text. */

export interface Fault {
  /** Default: error. */
  readonly severity?: 'warning' | 'info';
  /** The fault in a few words. */
  readonly title: string;
  /** What is behind it. */
  readonly why: string;
  /** What to do now. */
  readonly help: string;
}

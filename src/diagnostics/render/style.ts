/** How to make a text stand out; each may be the identity. */
export interface Style {
  readonly bold: Paint;
  readonly red: Paint;
  readonly yellow: Paint;
  readonly cyan: Paint;
  readonly dim: Paint;
}

type Paint = (text: string) => string;

/** Returns true if a sentence says to end the call, without a negation. */
export function endsCall(text: string): boolean {
  const sentences = text.split(/(?<=[.!?;])\s|\n/);
  return sentences.some((it) => it.includes('end the call') && !negation.test(it));
}

const negation =
  /\b(?:not|never|don[’']t|doesn[’']t|without|no one|nobody|cannot|can[’']t|refuse|avoid)\b/i;

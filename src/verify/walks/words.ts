/** Which assistants use which words, so that a text is looked for where it can stand. */

export interface WordSource {
  readonly member: number;
  readonly texts: readonly string[];
}

export interface WordIndex {
  /** The members that use the rarest word of the texts; none where one word is used by nobody. */
  readonly membersWith: (texts: readonly string[]) => readonly number[];
}

const word = /[\p{L}\p{N}]+/gu;

export function indexWords(sources: readonly WordSource[]): WordIndex {
  const members = new Map<string, number[]>();
  for (const { member, texts } of sources) {
    for (const each of new Set(texts.flatMap(wordsOf))) {
      const known = members.get(each);
      if (known === undefined) members.set(each, [member]);
      else known.push(member);
    }
  }
  const everybody = sources.map(({ member }) => member);
  return {
    membersWith: (texts) => {
      let rarest: readonly number[] = everybody;
      for (const each of texts.flatMap(wordsOf)) {
        const users = members.get(each) ?? [];
        if (users.length < rarest.length) rarest = users;
      }
      return rarest;
    },
  };
}

function wordsOf(text: string): string[] {
  return text.match(word) ?? [];
}

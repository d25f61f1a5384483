/**
 * All fixed wording that squadc puts around the texts of the source: forms with holes.
 *
 * The compiler fills them (ir/prompt.ts), the verifier reads them back (call/lift.ts). They say "end
 * the call" only where a call can end, and read no variable except those that an assistant is told
 * on entry. A hole is a name in angle brackets.
 *
 * Example:
 *     Follow the numbered steps; the lines under a step say what comes next.
 *     Never say the number of a step.
 *
 *     Step 1
 *     Greet the caller and ask what they need.
 *     - If: caller states what they need
 *       Then: go to step 2.
 */

/** The sentences that begin an opening, one per line; the last stands alone in an empty prompt. */
export const sentences = {
  takesOver:
    'You are taking over a call in progress: ' +
    'do not greet the caller again, and do not mention the handoff.',
  handsOver: 'Handing over to another assistant happens silently: do not mention it.',
  spoken: 'Your first message has been spoken: do not repeat it.',
  steps: 'Follow the numbered steps; the lines under a step say what comes next.',
  tokens: 'A name in double braces stands for what was found out under that name.',
  nothing: 'You are on a phone call.',
};

/** What is never said aloud; the last sentence of an opening. */
export const silences = {
  functions: 'Never say the name of a function.',
  numbers: 'Never say the number of a step.',
  both: 'Never say the name of a function or the number of a step.',
};

/** What an assistant can announce, in the order of the sentence about it. */
export const announced = {
  transferCall: 'a transfer',
  handoff: 'a handoff',
  endCall: 'the end of the call',
} as const;

export const forms = {
  /** One line of text, and the end of each sentence. */
  plain: '<text>\n',
  known: 'Known on entry: <values>.\n',
  knownValue: '<name>: {{<name>}}',

  beginAtStart: '- At the start of the call: begin at step <step>.\n',
  beginIf: '- <if>\n  Then: begin at step <step>.\n',
  beginAfter: '- If: the call was handed over <when>\n  Then: begin at step <step>.\n',
  beginElse: '- If none of these, <when>: <conditions>\n  Then: begin at step <step>.\n',

  heading: 'Step <step>\n',
  say: 'Say: "<line>"\n',
  find: '- Find out <name> (<type>)<description><choices>\n',
  findDescription: ': <description>',
  findChoices: '; one of <choices>',
  derive: '- Derive <name> as <template>\n',
  call: '- Call <tool>.\n',
  callFor: '- Call the tool for “<node>”.\n',
  anyTime: 'At any time\n',
  anyTimeBut: 'At any time but in step <step>\n',

  if: '- <demand><if>\n  Then: <action>\n',
  labelled: 'If: <conditions>',
  done: '- When done: <action>\n',
  otherwise: '- Otherwise, when done: <action>\n',
  firstCall: 'First call <tool>.\n  ',
  firstKnow: 'First make sure that you know <names>.\n  ',

  handOff: 'hand off to "<assistant>".',
  handOffBy: 'call <function>.',
  handOffWith: 'call <function> with the destination "<assistant>".',
  saying: 'say "<line>", then ',
  doing: 'do this: <instructions>\n  After that, ',
  go: 'go to step <step>.',
  end: 'end the call.',
  endBy: 'end the call by calling <tool>.',
  transfer: 'transfer the call to <numbers>.',
  announce: 'When you announce <what>, call its function in the same turn.\n',

  whenDone: 'when done with <assistant>',
  whenCollected: 'after collecting <names>',
  whenElse: 'otherwise, <when>',
  withPurpose: '<when> (<purpose>)',
  describedByName: 'for “<tool>”',
} as const;

export type Form = keyof typeof forms;

/** Between conditions that lead to the same, numbers of one transfer, and values on entry. */
export const between = { conditions: '; or ', numbers: ' or ', known: '; ', lines: ' ' } as const;

/** A list in words: `a, b and c`. */
export function enumerate(names: readonly string[], last: 'and' | 'or' = 'and'): string {
  if (names.length < 2) return names.join('');
  return `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
}

/** Returns true for a condition that begins with “if” itself, so that it needs no label. */
export function saysIf(condition: string): boolean {
  return /^\s*if\s/i.test(condition);
}

const pieces = new Map(
  Object.entries(forms).map(([form, text]) => {
    const found = text.matchAll(/([^<]*)(?:<(\w+)>|$)/g);
    const all = Array.from(found, ([, words = '', hole = null]) => ({ words, hole }));
    return [form, all.filter(({ words, hole }) => words !== '' || hole !== null)];
  }),
);

/** The words of a form and its holes, in turn. */
export function piecesOfForm(form: Form): readonly { words: string; hole: string | null }[] {
  return pieces.get(form)!;
}

/** Returns true if a prompt contains a sentence of the opening or a transition spelled as here. */
export function isWorded(prompt: string): boolean {
  let isAsked = false;
  return prompt.split('\n').some((line) => {
    isAsked ||= /^(?:- | {2})if\b/i.test(line);
    return (
      openingSentences.has(line) ||
      /^When you announce .*, call its function in the same turn\.$/.test(line) ||
      (/^Known on entry: .*\{\{/.test(line) && line.endsWith('}}.')) ||
      /^- (?:Otherwise, when|When) done: .*\.$/.test(line) ||
      (isAsked && /^ {2}Then: ./.test(line))
    );
  });
}

const openingSentences: ReadonlySet<string> = new Set([
  ...Object.values(sentences),
  ...Object.values(silences),
]);

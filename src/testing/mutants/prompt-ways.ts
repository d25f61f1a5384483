/** Ways on from a step: one bullet each, with what is said and done before. */
import { type Line, type Quote, type Span, spanOf, viewSaid, wholeOf } from './prompt-lines.js';

export interface Way {
  readonly line: Span;
  /** `first call the tool x; ` or `first make sure that you know x; ` */
  readonly demand: Span | null;
  readonly sentence: Span;
  /** The sentence without its `when `. */
  readonly condition: Span;
  readonly kind: 'step' | 'handoff' | 'end' | 'transfer';
  readonly action: Span;
  /** The number, name or address in the action; empty where the call ends. */
  readonly target: Span;
  /** Its words. */
  readonly to: string;
  readonly says: readonly Quote[];
  readonly instructions: readonly Quote[];
}

const bullet =
  /^- (first (?:make sure that you know|call the tool) [^;]*; )?(.*?)(?:, (go to step (\d+)|hand off to "(.*)"|then end the call|then transfer the call to (.*))|:)$/;
const closing = /^ {2}then (go to step (\d+)|end the call|transfer the call to (.*))$/;

/** The ways among the lines; one with something to say goes over several. */
export function readWays(lines: readonly Line[]): { ways: Way[]; others: Line[] } {
  const ways: Way[] = [];
  const others: Line[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    const found = line.text.startsWith('- find out ') ? null : bullet.exec(line.text);
    const isWhole = found?.[3] !== undefined;
    const until = found === null || isWhole ? at : lines.findIndex(isClosing(at));
    if (found === null || until < at) others.push(line);
    else {
      ways.push(viewWay(lines.slice(at, until + 1), found));
      at = until;
    }
  }
  return { ways, others };
}

/** The first closing line behind a bullet, before another bullet. */
function isClosing(bulletAt: number) {
  let open = true;
  return ({ text }: Line, at: number): boolean => {
    if (at <= bulletAt) return false;
    open &&= !text.startsWith('- ');
    return open && closing.test(text);
  };
}

function viewWay(lines: readonly Line[], [, demand, sentence = '', own]: RegExpExecArray): Way {
  const head = lines[0]!;
  const last = lines.at(-1)!;
  const action = own ?? last.text.trimStart();
  const from = '- '.length + (demand?.length ?? 0);
  const when = sentence.startsWith('when ') ? 'when '.length : 0;
  const between = lines.slice(1, -1);
  const says = between.flatMap(viewSaid);
  const spoken = new Set(says.map(({ line }) => line.start));
  return {
    line: { start: head.start, end: wholeOf(last).end },
    demand: demand === undefined ? null : spanOf(head, '- '.length, demand.length),
    sentence: spanOf(head, from, sentence.length),
    condition: spanOf(head, from + when, sentence.length - when),
    says,
    instructions: between
      .filter(({ start }) => !spoken.has(start))
      .map((line) => ({ line: wholeOf(line), text: spanOf(line, '  '.length) })),
    ...viewAction(action, last),
  };
}

function viewAction(text: string, last: Line): Pick<Way, 'kind' | 'action' | 'target' | 'to'> {
  const action = spanOf(last, last.text.length - text.length);
  const [, kind = '', target = ''] =
    /(go to step |hand off to "|end the call|transfer the call to )(.*?)"?$/.exec(text) ?? [];
  const start = action.start + text.indexOf(kind) + kind.length;
  return {
    kind: kinds[kind] ?? 'end',
    action,
    target: { start, end: start + target.length },
    to: target,
  };
}

const kinds: Readonly<Record<string, Way['kind']>> = {
  'go to step ': 'step',
  'hand off to "': 'handoff',
  'transfer the call to ': 'transfer',
};

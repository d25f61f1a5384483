/** Calls that do not end where they should, or that end where they should not. */
import { drop, put } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { waysOf, wordsOf } from './prompt-view.js';
import type { Way } from './prompt-ways.js';
import { brief, cut, insertAt, quote, replace, withPrompt } from './rewording.js';
import type { MemberView, SquadView } from './squad-view.js';
import { withTool } from './tool-list.js';

export const endingMutants: readonly Operator[] = [
  operator('ending-lost', 6, 'A prompt does not say that a call ends there.', function* (view) {
    for (const [member, way] of endings(view)) {
      const squad = withPrompt(view, member, cut(way.line));
      yield { squad, at: member.promptAt, text: brief(member.prompt, way.sentence) };
    }
  }),

  operator(
    'ending-put-off',
    6,
    'The caller is asked to hold where the call should end.',
    function* (view) {
      for (const [member, way] of endings(view)) {
        const squad = withPrompt(view, member, replace(way.action, 'then ask the caller to hold'));
        yield { squad, at: member.promptAt, text: brief(member.prompt, way.sentence) };
      }
    },
  ),

  operator(
    'ending-invented',
    6,
    'A call ends for a reason that the source lacks.',
    function* (view) {
      const way = `- when the caller mentions a ${view.source.word}, then end the call\n`;
      for (const member of view.members) {
        for (const { number, body } of member.prompt.steps) {
          const squad = withPrompt(view, member, insertAt(body.end, way));
          yield { squad, at: member.promptAt, text: `at step ${number} of ${quote(member.name)}` };
        }
      }
    },
  ),

  operator('step-became-ending', 6, 'A call ends where it should go on.', function* (view) {
    for (const member of view.members) {
      for (const { kind, action, sentence } of waysOf(member.prompt)) {
        if (kind !== 'step') continue;
        const squad = withPrompt(view, member, replace(action, 'then end the call'));
        yield { squad, at: member.promptAt, text: brief(member.prompt, sentence) };
      }
    }
  }),

  operator('end-call-tool-dropped', 6, 'An assistant cannot end the call.', function* (view) {
    for (const { at, type } of view.tools) {
      if (type === 'endCall') yield { squad: drop(view.squad, at), at, text: type };
    }
  }),

  operator(
    'end-call-tool-invented',
    6,
    'An assistant can end a call that goes on.',
    function* (view) {
      // Only the platform's shape has such a tool; in the other one it is an unknown kind.
      for (const member of view.members) {
        if (member.tools.some(({ type }) => type === 'endCall')) continue;
        const squad = withTool(view.squad, member, { type: 'endCall' });
        yield { squad, at: member.at, text: quote(member.name) };
      }
    },
  ),

  operator('ending-moved', 6, 'Another assistant ends the call.', function* (view) {
    for (const [member, way] of endings(view)) {
      for (const other of view.members) {
        const [first] = other.prompt.steps;
        const words = wordsOf(member.prompt, way.line);
        // A global end stands in every prompt.
        if (other === member || first === undefined || other.prompt.text.includes(words)) continue;
        const half = withPrompt(view, member, cut(way.line));
        const squad = put(half, other.promptAt, add(other, first.body.end, words));
        yield { squad, at: member.promptAt, text: `in ${quote(other.name)}` };
      }
    }
  }),
];

/** Ways to end the call, but for those that stand there twice. */
function* endings({ members }: SquadView): Iterable<readonly [MemberView, Way]> {
  for (const member of members) {
    const ways = [...member.prompt.steps.map((it) => it.ways), member.prompt.always];
    for (const together of ways) {
      const lines = together.map(({ line }) => wordsOf(member.prompt, line));
      for (const [index, way] of together.entries()) {
        const isOnly = lines.indexOf(lines[index]!) === lines.lastIndexOf(lines[index]!);
        if (way.kind === 'end' && isOnly) yield [member, way];
      }
    }
  }
}

function add({ prompt }: MemberView, at: number, words: string): string {
  return prompt.text.slice(0, at) + words + prompt.text.slice(at);
}

/** Variables that a handoff derives by templates: gone, called otherwise, made otherwise. */

import { child } from '../../compiler/ir/ids.js';
import type { JsonObject } from '../../compiler/ir/json.js';
import { put } from './edit.js';
import { type Operator, operator } from './mutant.js';
import { brief, cut, quote, reword, withPrompt } from './rewording.js';
import { listOf, objectOf, type SquadView, textOf } from './squad-view.js';

export const aliasMutants: readonly Operator[] = [
  operator('plan-alias-dropped', 4, 'A variable is not derived.', function* (view) {
    for (const { aliases, at, index, key } of planAliases(view)) {
      const left = aliases.filter((_, other) => other !== index);
      yield { squad: put(view.squad, at, left), at, text: quote(key) };
    }
  }),

  operator('plan-alias-renamed', 4, 'A variable is derived under another name.', function* (view) {
    for (const { at, index, key } of planAliases(view)) {
      const place = `${child(at, index)}/key`;
      yield { squad: put(view.squad, place, view.source.word), at: place, text: quote(key) };
    }
  }),

  operator('plan-alias-changed', 4, 'A variable is made of something else.', function* (view) {
    for (const { at, index, value } of planAliases(view)) {
      const place = `${child(at, index)}/value`;
      const other = reword(value, view.source.word) ?? view.source.word;
      yield { squad: put(view.squad, place, other), at: place, text: quote(value) };
    }
  }),

  operator('plan-alias-too-early', 4, 'A variable is made before its parts.', function* (view) {
    for (const { aliases, at, index, key } of planAliases(view)) {
      const before = aliases.slice(0, index).map((it) => textOf(it['key']));
      // Only what is plainly read out of another alias depends on it.
      const [, read] = /\{\{\s*(\w+)\s*\}\}/.exec(textOf(aliases[index]!['value'])) ?? [];
      if (read === undefined || !before.includes(read)) continue;
      const others = aliases.filter((_, other) => other !== index);
      yield { squad: put(view.squad, at, [aliases[index]!, ...others]), at, text: quote(key) };
    }
  }),

  operator(
    'derivation-lost',
    'walk',
    'A step does not say what a variable is made of.',
    function* (view) {
      for (const member of view.members) {
        for (const { 0: text, index } of member.prompt.text.matchAll(derivation)) {
          const line = { start: index, end: index + text.length };
          const squad = withPrompt(view, member, cut(line));
          yield { squad, at: member.promptAt, text: brief(member.prompt, line) };
        }
      }
    },
  ),
];

/** A template may go over several lines. */
const derivation = /^- derive \w+ as \{% raw %\}[\s\S]*?\{% endraw %\}\n/gm;

interface AliasView {
  readonly aliases: readonly JsonObject[];
  /** Where the list stands. */
  readonly at: string;
  readonly index: number;
  readonly key: string;
  readonly value: string;
}

function* planAliases({ destinations }: SquadView): Iterable<AliasView> {
  for (const { at: destination, value: all } of destinations) {
    const plan = objectOf(all['variableExtractionPlan']);
    const aliases = listOf(plan['aliases']).map(objectOf);
    const at = `${destination}/variableExtractionPlan/aliases`;
    for (const [index, { key, value }] of aliases.entries()) {
      yield { aliases, at, index, key: textOf(key), value: textOf(value) };
    }
  }
}

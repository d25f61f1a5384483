/** What was probably meant, where the arguments are wrong. */
import type { Command } from 'commander';
import { didYouMean } from './nearest.js';

/** The message with the choice, or with the required option, that was probably meant. */
export function withHint(text: string, argv: readonly string[]): string {
  const hint = choiceHint(text) || requiredHint(text, argv);
  return hint === '' ? text : `${text.trimEnd()}${hint}\n`;
}

function choiceHint(text: string): string {
  const [, word = '', choices = ''] =
    / '([^']*)' is invalid.*\. Allowed choices are (.+)\.$/s.exec(text.trimEnd()) ?? [];
  return didYouMean(word, choices.split(', '));
}

/** A required option that is misspelt is told as missing. */
function requiredHint(text: string, argv: readonly string[]): string {
  const [, option] = /^error: required option '(?:-\w, )?(--[a-z-]+)/.exec(text) ?? [];
  if (option === undefined) return '';
  const given = argv
    .filter((word) => /^--[a-z-]{2}/.test(word))
    .map((word) => word.split('=', 1)[0]);
  const hints = given.map((word) => didYouMean(word ?? '', [option]));
  return hints.find((hint) => hint !== '') ?? '';
}

/** `squadc help <word>`: the argument parser would print the help of all. */
export function refuseUnknownTopic(program: Command, argv: readonly string[]): void {
  const [first, topic] = argv.filter((each) => !each.startsWith('-'));
  if (first !== 'help' || topic === undefined) return;
  const names = ['help', ...program.commands.map((command) => command.name())];
  if (names.includes(topic)) return;
  program.error(`error: unknown command '${topic}'${didYouMean(topic, names)}`);
}

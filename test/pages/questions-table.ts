/** README's table of questions: kinds, when they are asked, and the choices of both targets. */
import { explain } from '../../src/diagnostics/explain.js';
import { needsValue, questionKinds } from '../../src/diagnostics/questions.js';
import { markdownTable } from '../../src/report/markdown-text.js';
import { ownText } from './own-text.js';

export function questionsTable(): string {
  const rows = questionKinds().map((kind) => {
    const { title, choices = [] } = explain(kind)!;
    const keys = choices.map(({ key }) => `\`${key}\`${needsValue(kind, key) ? ' …' : ''}`);
    return [`\`${kind}\``, ownText(title), keys.join(', ')];
  });
  return markdownTable(['kind', 'asked where', 'choices (… takes a value)'], rows).join('');
}

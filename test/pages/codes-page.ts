/** CODES.md: every code and every kind of question, as `explain` knows them. */
import { explainFault, faultCodes } from '../../src/cli/faults.js';
import { codes, type Explanation, explain } from '../../src/diagnostics/explain.js';
import { questionKinds } from '../../src/diagnostics/questions.js';
import { markdownTable } from '../../src/report/markdown-text.js';
import { ownText } from './own-text.js';

const opening = `# Codes and questions

Made by \`npm run tables\`; not to be edited.

Everything that squadc can say about a workflow, a squad or a run, and how calls of the platform and of
the services fail. What stands in angle brackets is named in each case. An error leaves no squad, a warning wants to be read, an info is for whoever
asks (\`--verbose\`). A code is never renamed: filter by it.
`;

/** Areas in the order of the pipeline, each with what its codes are about. */
const areas = {
  shape: 'The document that was read: its text, its fields, its nodes.',
  flow: 'The graph: edges, the start, what can be reached, global nodes.',
  data: 'Variables: where they are set, read and carried.',
  lower: 'What the target makes of it: names, tools, saved assistants.',
  tools: 'Operations of the two services in the place of requests.',
  check: 'What the check of a squad finds.',
  api: 'Options and answers; of the clients of both services, the codes of an `ApiError`.',
  batch: 'A run over many workflows.',
  platform: 'Commands that call the platform.',
  push: 'Squads that are created on the platform.',
  rollback: 'Squads that are deleted there again.',
  journal: 'The journal of what was created.',
  extraction: 'Schemas for the extraction from documents.',
} as const;

export function codesPage(): string {
  const all = [...codes(), ...faultCodes]
    .sort()
    .map((code) => explain(code) ?? explainFault(code)!);
  const sections = Object.entries(areas).map(([area, about]) => {
    const rows = all.filter(({ code }) => code.startsWith(`${area}/`)).map(codeRow);
    const table = markdownTable(['Code', 'Severity', 'What it says', 'What to do'], rows).join('');
    return `## ${area}\n\n${about}\n\n${table}`;
  });
  return [opening, ...sections, questionSections()].join('\n');
}

function codeRow({ code, severity, title, help }: Explanation): string[] {
  return [`\`${code}\``, severity ?? '', ...[title, help].map(ownText)];
}

function questionSections(): string {
  const sections = questionKinds().map((kind) => {
    const { title, why = '', help, choices = [] } = explain(kind)!;
    const rows = choices.map(({ key, label, effect }) => {
      return [`\`${key}\``, ...[label, effect].map(ownText)];
    });
    const table = markdownTable(['Choice', 'In words', 'What the squad will do'], rows).join('');
    const words = [title, why, help].map(ownText);
    return `### ${kind}\n\n${words[0]}. ${words[1]} ${words[2]}\n\n${table}`;
  });
  return ['## Questions\n', ...sections].join('\n');
}

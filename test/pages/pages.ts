/** The pages that are made, whole or in part: what each holds now, given what it held. */
import { codesPage } from './codes-page.js';
import { emitted } from './emitted.js';
import { fillMarks } from './marks.js';
import { operationsPage } from './operations-page.js';
import { questionsTable } from './questions-table.js';
import { toolsPage } from './tools-page.js';

type MakePage = (present: string) => Promise<string>;

/** By file. */
export const pages: Readonly<Record<string, MakePage>> = {
  'README.md': filled,
  'src/ARCHITECTURE.md': filled,
  'src/adapters/OPERATIONS.md': async () => operationsPage(),
  'src/adapters/tools/TOOLS.md': async () => toolsPage(),
  'src/diagnostics/CODES.md': async () => codesPage(),
};

function filled(present: string): Promise<string> {
  return fillMarks(present, async ([what, ...words]) => {
    if (what === 'questions') return questionsTable();
    return what === 'emit' ? emitted(words) : null;
  });
}

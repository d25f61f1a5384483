/** The pages of a run, made when its summaries stand. */
import { foreignFile, WriteFault } from '../faults.js';
import type { OwnFiles } from '../output/own-files.js';
import type { RunHooks } from '../run.js';

/** The result is how many pages could not be made, beside those that could not be written. */
export async function writePages(own: OwnFiles, { report }: RunHooks): Promise<number> {
  // Without the summaries there is nothing to make pages of.
  if (report === undefined || own.faults.length > 0) return 0;
  try {
    const { foreign, unread } = await report.write({
      writeFile: (path, text) => own.write(path, text),
      // It went where what it was made of changed.
      isCurrent: ({ folder }) => own.isThere(folder, 'report.html'),
    });
    own.faults.push(...foreign.map(foreignFile));
    return unread.length;
  } catch (error) {
    if (!(error instanceof WriteFault)) throw error;
    own.faults.push(error);
    return 0;
  }
}

/** For commands that write into the output folder of a run that has ended. */
import { buildKnown } from '../journal/known.js';
import { openState } from '../state/state-folder.js';
import { OwnFiles } from './own-files.js';

export interface OpenOwnFiles {
  /** Puts a file in place; a path is POSIX, below the folder. Throws where it cannot be written. */
  write(path: string, text: string): 'written' | 'unchanged' | 'foreign';
  close(): void;
}

/** Throws `FolderInUse` where a run is going on. `out` is absolute. */
export function openOwnFiles(
  out: string,
  rules: { readonly force: boolean; readonly durable: boolean },
): OpenOwnFiles {
  const state = openState(out);
  try {
    const own = new OwnFiles({ ...rules, out, state: state.path }, buildKnown(state.journals));
    return {
      write: (path, text) => own.write(path, text),
      close: () => {
        own.close();
        state.close();
      },
    };
  } catch (error) {
    state.close();
    throw error;
  }
}

/** `squadc migrate --pull`: fetches workflows into the output folder before they are migrated. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pulledFile, type SourceOptions } from '../../batch/sources.js';
import { stateName } from '../../batch/state.js';
import { pullFault, refuseWrongIds } from '../commands/pull.js';
import { exitCodes, Refusal } from '../exit.js';
import type { Io } from '../io.js';
import { baseUrlOf, refuseKeyArgument, sessionFor } from '../options/platform.js';
import { writeOutput } from '../output/write.js';
import { isDryRun, type MigrateFlags } from './flags.js';

/** Workflows that were fetched. */
export interface PulledFirst {
  /** Absent where none were asked for. */
  readonly pulled?: NonNullable<SourceOptions['pulled']>;
  /** How many could not be had; where one was fetched before, that is still there. */
  readonly missed: number;
  /** Ends the use of the files. */
  close(): void;
}

/** What cannot be had is said. */
export async function pullFirst(flags: MigrateFlags, plainIo: Io): Promise<PulledFirst> {
  refuseKeyArgument(flags);
  const { pull: ids, baseUrl: url } = flags;
  if (ids === undefined) return { missed: 0, close: () => {} };
  if (url === undefined) throw new Refusal('--pull needs --base-url', exitCodes.wrongUsage);
  await refuseWrongIds(ids);
  const { io, key, service } = await sessionFor(await baseUrlOf(url), flags, plainIo);
  const { folder, close } = folderOf(flags, io);
  const { pull } = await import('../../platform/pull.js');
  let missed = 0;
  for await (const { id, text, fault } of pull(ids, service)) {
    if (text !== undefined) await writeOutput(pulledFile(folder, id), text, io);
    else {
      io.stderr.write(pullFault({ id, fault }, key.source));
      missed += 1;
    }
  }
  return { pulled: { folder, ids }, missed, close };
}

/** A run that writes nothing keeps them elsewhere. */
function folderOf(flags: MigrateFlags, { cwd }: Io) {
  if (isDryRun(flags)) {
    const folder = mkdtempSync(join(tmpdir(), 'squadc-pull-'));
    return { folder, close: () => rmSync(folder, { recursive: true, force: true }) };
  }
  const folder = join(resolve(cwd, flags.output), stateName, 'pulled');
  mkdirSync(folder, { recursive: true });
  return { folder, close: () => {} };
}

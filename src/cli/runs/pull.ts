/** `squadc migrate --pull`: fetches workflows into the output folder before they are migrated. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { stateName } from '../../batch/output.js';
import { pulledFile, type SourceOptions } from '../../batch/sources.js';
import type { MigrateFlags } from '../commands/migrate.js';
import { refuseWrongIds, tellPullFault } from '../commands/pull.js';
import type { Io } from '../io.js';
import { writeOutput } from '../output/write.js';
import { baseUrlOf, refuseKeyArgument, sessionFor } from '../platform/session.js';

/** Workflows that were fetched. */
export interface PulledFirst extends Pick<SourceOptions, 'pulled'> {
  /** How many could not be had; where one was fetched before, that is still there. */
  readonly missed: number;
  /** Ends the use of the files. */
  close(): void;
}

/** What cannot be had is said. A run that writes nothing keeps them elsewhere. */
export async function pullFirst(
  flags: MigrateFlags,
  dry: boolean,
  plainIo: Io,
): Promise<PulledFirst> {
  refuseKeyArgument(flags);
  const { pull: ids, output } = flags;
  if (ids === undefined) return { missed: 0, close: () => {} };
  await refuseWrongIds(ids);
  const session = await sessionFor(await baseUrlOf(flags.baseUrl), flags, plainIo);
  const { io, service } = session;
  const folder = dry
    ? mkdtempSync(join(tmpdir(), 'squadc-pull-'))
    : join(resolve(io.cwd, output), stateName, 'pulled');
  mkdirSync(folder, { recursive: true });
  const { pull } = await import('../../platform/pull.js');
  let missed = 0;
  for await (const { id, text, fault } of pull(ids, service)) {
    if (text !== undefined) await writeOutput(pulledFile(folder, id), text, io);
    else {
      tellPullFault({ id, fault }, session);
      missed += 1;
    }
  }
  const close = () => dry && rmSync(folder, { recursive: true, force: true });
  return { pulled: { folder, ids }, missed, close };
}

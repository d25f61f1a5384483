/** `squadc migrate --pull`: fetches workflows into the output folder before they are migrated. */
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { SourceOptions } from '../batch/sources/plan-sources.js';
import { pulledFile } from '../batch/sources/pulled.js';
import { stateName } from '../batch/state-folder.js';
import { realNetwork } from '../platform/network.js';
import { exitCodes, Refusal } from './exit.js';
import type { Io } from './io.js';
import type { MigrateFlags } from './migrate-flags.js';
import { baseUrlOf, hidingKey, keyOf, refuseKeyArgument } from './platform-options.js';
import { faultOf } from './pull.js';
import { writeOutput } from './write-output.js';

/** Where the workflows are; null where none were asked for. What cannot be had is said. */
export async function pullFirst(
  flags: MigrateFlags,
  plainIo: Io,
): Promise<SourceOptions['pulled'] | null> {
  refuseKeyArgument(flags);
  const { pull: ids, baseUrl: url, output } = flags;
  if (ids === undefined) return null;
  if (url === undefined) {
    throw new Refusal('--pull needs --base-url', exitCodes.wrongUsage);
  }
  const baseUrl = await baseUrlOf(url);
  const key = await keyOf(flags, plainIo);
  const io = hidingKey(plainIo, key);
  const isDry = flags.dryRun === true || flags.diff === true;
  const folder = isDry
    ? mkdtempSync(join(tmpdir(), 'squadc-pull-'))
    : join(resolve(io.cwd, output), stateName, 'pulled');
  const { pull } = await import('../platform/pull.js');
  const network = io.network ?? realNetwork;
  for await (const pulled of pull(ids, { baseUrl, key: key.value }, network)) {
    if (pulled.kind !== 'workflow') {
      io.stderr.write(faultOf(pulled, key));
      continue;
    }
    const file = pulledFile(folder, pulled.id);
    mkdirSync(dirname(file), { recursive: true });
    await writeOutput(file, pulled.text, io);
  }
  return { folder, ids };
}

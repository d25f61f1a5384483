/** The file of a failure that `squadc fuzz` found, and what `--replay` makes of it. */
import { join } from 'node:path';
import { exitCodes, Refusal } from './exit.js';
import type { Counterexample } from './fuzz-runs.js';
import type { Io } from './io.js';
import { inputName, readInput } from './read-input.js';
import { packageVersion } from './version.js';
import { jsonText, writeOutput } from './write-output.js';

/** Writes the failure and returns the name of its file. */
export async function writeCounterexample(
  found: Counterexample,
  folder: string,
  io: Io,
): Promise<string> {
  const file = join(folder, `squadc-fuzz-${found.law}-${found.seed}.json`);
  await writeOutput(file, jsonText({ squadc: packageVersion(), ...found }), io);
  return file;
}

/** What a replay needs of such a file. */
export type Replay = Pick<Counterexample, 'law' | 'workflow' | 'options'>;

/** Reads such a file; any other is refused. */
export async function readCounterexample(
  path: string,
  laws: readonly string[],
  io: Io,
): Promise<Replay> {
  const text = await readInput(path, io);
  const found = parsed(text);
  const { law, workflow, options } = found ?? {};
  const fits = typeof law === 'string' && isObject(workflow) && isObject(options);
  if (!fits) {
    throw new Refusal(
      `${inputName(path)} is no file of squadc fuzz\n` +
        '  help: Give one that squadc fuzz wrote of a law that does not hold.',
      exitCodes.invalid,
    );
  }
  if (!laws.includes(law))
    throw new Refusal(`there is no law '${law}' any more`, exitCodes.invalid);
  return { law, workflow, options } as unknown as Replay;
}

function parsed(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

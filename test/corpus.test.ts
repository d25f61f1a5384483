/**
 * Workflows as teams have them. They are not part of the project: where SQUADC_CORPUS names a
 * folder of them, each goes through the command line; elsewhere this says so and passes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../src/cli/run.js';
import { compile, readWorkflow } from '../src/index.js';
import { fakeIo } from './cli/fake-io.js';

const folder = process.env.SQUADC_CORPUS;
const files =
  folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith('.json'));

describe.skipIf(files.length === 0)('real workflows (SQUADC_CORPUS)', () => {
  it.each(files)('%s gives a result with codes, and never a stack trace', async (file) => {
    const io = fakeIo();
    const exit = await run(['compile', '--accept-proposals', join(folder ?? '', file)], io);
    expect(io.err()).not.toMatch(/\n\s+at |internal error/);
    if (exit === 1) expect(io.err()).toMatch(/^error\[[a-z]+\/[a-z-]+\]: /m);
    else expect(JSON.parse(io.out())).toHaveProperty('squad.members');
  });

  it.each(files.filter(isSpecShape))(
    '%s is complete once its proposals are taken',
    async (file) => {
      const io = fakeIo();
      expect(await run(['compile', '--accept-proposals', join(folder ?? '', file)], io)).toBe(0);
    },
  );

  it.each(files.filter((file) => !isSpecShape(file)))('%s is refused by name', (file) => {
    const { diagnostics, status } = compile(read(file).workflow);
    const codes = diagnostics.map(({ code }) => code);
    expect(status).toBe('invalid');
    expect(codes.some((code) => /^shape\/(unsupported-dialect|no-nodes)$/.test(code))).toBe(true);
  });
});

it.runIf(files.length === 0)('real workflows are skipped: SQUADC_CORPUS names no folder', () => {
  expect(files).toEqual([]);
});

function read(file: string) {
  return readWorkflow(readFileSync(join(folder ?? '', file), 'utf8'));
}

/** Nodes with ids, and prompts where the specification has them. */
function isSpecShape(file: string): boolean {
  const text = readFileSync(join(folder ?? '', file), 'utf8');
  const { nodes } = JSON.parse(text) as { nodes?: Record<string, unknown>[] };
  return (
    nodes?.every(
      (node) =>
        typeof node.id === 'string' &&
        !('text' in node) &&
        !('options' in node) &&
        !('prompt' in node),
    ) ?? false
  );
}

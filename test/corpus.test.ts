/**
 * Workflows as teams have them. They are not part of the project: where SQUADC_CORPUS names a
 * folder of them, each goes through the command line; elsewhere this says so and passes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../src/cli/run.js';
import { compile, readWorkflow, verify } from '../src/index.js';
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

const guide = 'docs.static_workflow-migration-guide.7b4bcbd96a.json';
const madeByHand = 'guide-example.squad.json';

describe.skipIf(!files.includes(madeByHand))('a squad that was made by hand', () => {
  const found = verify(read(guide).workflow, read(madeByHand).workflow);
  const placed = (item: number) =>
    found.checklist[item - 1]?.evidence
      .filter(({ holds }) => !holds)
      .map(({ source, output }) => [source[0], output[0]]);
  const promptOf = (member: number) =>
    `/squad/members/${member}/assistant/model/messages/0/content`;

  it('has the right assistants, variables and names', () => {
    const failing = found.checklist.filter(({ holds }) => !holds).map(({ item }) => item);
    expect(failing).toEqual([3, 6]);
  });

  it('rewords two conditions', () => {
    const destinations = '/squad/members/0/assistant/model/tools/0/destinations';
    expect(placed(3)).toEqual([
      ['/edges/1', `${destinations}/0`],
      ['/edges/2', `${destinations}/1`],
    ]);
  });

  it('loses the closing line in both branches', () => {
    expect(placed(6)).toEqual([
      ['/nodes/4/firstMessage', promptOf(1)],
      ['/nodes/4/firstMessage', promptOf(2)],
    ]);
  });

  it('rewords every prompt, and drops the condition inside of one', () => {
    const places = found.counterexamples.map(({ source, output }) => [source[0], output[0]]);
    for (const [node, member] of [0, 0, 1, 2].entries()) {
      expect(places).toContainEqual([`/nodes/${node}/systemPrompt`, promptOf(member)]);
    }
    expect(places).toContainEqual(['/edges/0/condition', promptOf(0)]);
  });

  it('overrides the voice, which nobody asked for', () => {
    const places = found.diagnostics
      .filter(({ code }) => code === 'check/setting-differs')
      .map(({ at }) => at);
    expect(places).toEqual(['/squad/memberOverrides/voice']);
    const { voice } = (
      read(madeByHand).workflow as { squad: { memberOverrides: { voice: object } } }
    ).squad.memberOverrides;
    const told = verify(read(guide).workflow, read(madeByHand).workflow, {
      memberOverrides: { voice },
    });
    expect(told.diagnostics.map(({ code }) => code)).not.toContain('check/setting-differs');
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

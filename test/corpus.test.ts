/**
 * Real workflows, which are not part of the project. If SQUADC_CORPUS names a folder of them, each is
 * read in its dialect and compiled for both targets; otherwise the tests are skipped.
 * SQUADC_PLATFORM_SCHEMAS names the schemas of the platform, by which a body must be valid.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../src/cli/run.js';
import { compile, readWorkflow, verify } from '../src/index.js';
import { settle } from '../src/testing.js';
import { fakeIo } from './cli/fake-io.js';
import { platform, platformFaults } from './json.js';

const folder = process.env.SQUADC_CORPUS;
const files =
  folder === undefined ? [] : readdirSync(folder).filter((file) => file.endsWith('.json'));
const guide = 'docs.static_workflow-migration-guide.7b4bcbd96a.json';
const madeByHand = 'guide-example.squad.json';
const workflows = files.filter((file) => file !== madeByHand);
const targets = ['squad', 'vapi'] as const;

describe.skipIf(files.length === 0)('real workflows (SQUADC_CORPUS)', () => {
  it.each(files)('%s gives a result with codes and never a stack trace', async (file) => {
    const io = fakeIo();
    const exit = await run(['compile', '--accept-proposals', join(folder ?? '', file)], io);
    expect(io.err()).not.toMatch(/\n\s+at |internal error/);
    if (exit === 1) expect(io.err()).toMatch(/^error\[[a-z]+\/[a-z-]+\]: /m);
    else if (exit === 0)
      expect(io.out()).toMatch(/^\{\n {2}(?:"name": .*\n {2})?"(?:squad|members)": /);
    else expect(exit).toBe(2);
  });

  it.each(workflows)('%s is read in its own dialect', (file) => {
    const { dialect, workflow } = read(file);
    expect(dialect).toBe(isSpecShape(file) ? 'spec' : 'vapi');
    const { diagnostics } = compile(workflow);
    const told = diagnostics.filter(({ code }) => code === 'shape/dialect');
    expect(told).toHaveLength(dialect === 'spec' ? 0 : 1);
    expect(diagnostics.filter(({ code }) => code === 'shape/unknown-field')).toEqual([]);
  });

  it.each(workflows.flatMap((file) => targets.map((target) => [file, target] as const)))(
    '%s compiles to a complete and verified squad for target %s',
    (file, target) => {
      const { workflow } = read(file);
      const { result, options } = settle(workflow, { target });
      expect(result.status).toBe('complete');
      expect(verify(workflow, result.output, options).diagnostics).toEqual([]);
      expect(result.checklist.filter(({ holds }) => !holds)).toEqual([]);
      expect(result.ledger.filter(({ status }) => status === 'needs-answer')).toEqual([]);
      if (target === 'vapi') expect(platformFaults(result.output)).toEqual([]);
    },
  );
});

describe.skipIf(!files.includes(guide))('the example of the platform’s own guide', () => {
  it('is rejected by the platform as written by hand, and accepted as compiled', () => {
    const { squad } = read(madeByHand).workflow as { squad: object };
    const body = settle(read(guide).workflow, { target: 'vapi' }).result.output;
    if (platform === null) return;
    expect(platformFaults(squad)).not.toEqual([]);
    expect(platformFaults(body)).toEqual([]);
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
  const ofPlatform = (node: object) => 'text' in node || 'options' in node || 'prompt' in node;
  return nodes?.every((node) => typeof node.id === 'string' && !ofPlatform(node)) ?? false;
}

/** What golden cases and provocations are told on the command line, read aloud. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { listFolders, readCase } from '../golden/cases.js';
import { provocations } from '../golden/provocations.js';
import { fakeIo, temporaryFolder } from './fake-io.js';

const { folder, put } = temporaryFolder();

const sentence = /^[A-Z“{].*\.$/;
const place = /^ *--> (?:\S+\.json:\d+:\d+|options \/\S*)$/;

/** Which fault, in a sentence; where, with file, line and column; what to do, in a sentence. */
function expectReadable(finding: string): void {
  const [headline = '', where, ...rest] = finding.split('\n');
  expect(headline.replace(/^\w+\[[a-z]+\/[a-z0-9-]+\]: /, '')).toMatch(sentence);
  expect(where).toMatch(place);
  const help = rest.find((line) => line.includes('= help: ')) ?? '';
  expect(help.replace(/^ *= help: /, '')).toMatch(sentence);
  expect(finding).not.toMatch(/undefined(?!-)|\[object|NaN|\bnull\b|must NOT/);
}

async function findings(command: string, ...files: readonly string[]): Promise<readonly string[]> {
  const io = fakeIo({ cwd: folder, columns: 100_000 });
  await run([command, ...files, '--verbose'], io);
  const texts = (io.out() + io.err()).split('\n\n');
  return texts.filter((text) => /^(?:error|warning|info)\[/.test(text));
}

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

describe('squadc says which, where, why and what to do', () => {
  it('of the golden cases', async () => {
    let met = 0;
    for (const name of listFolders()) {
      const golden = readCase(name);
      if (golden === null) continue;
      const text = readFileSync(join(golden.folder, golden.input), 'utf8');
      const found = await findings('compile', put('workflow.json', text));
      found.forEach(expectReadable);
      met += found.length;
    }
    expect(met).toBeGreaterThan(100);
  });

  it.each(Object.entries(provocations))('of %s', async (code, provoke) => {
    const { workflow, squad } = provoke();
    // A text that is no value has no place in one.
    if (code === 'shape/not-json') return;
    const files = [put('workflow.json', textOf(workflow))];
    if (squad !== undefined) files.push(put('squad.json', textOf(squad)));
    const found = await findings(squad === undefined ? 'compile' : 'check', ...files);
    found.forEach(expectReadable);
  });
});

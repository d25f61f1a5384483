/** TOOLS.md says what the tools can do now; `npm run tools-table` writes it anew. */
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { toolDefinitions } from '../../src/tools.js';
import { wantsUpdate } from '../golden/compare.js';
import { fakeIo } from './fake-io.js';

const file = 'src/adapters/tools/TOOLS.md';

async function written(): Promise<string> {
  const io = fakeIo();
  const unused = () => Promise.reject(new Error('the compiler is not needed here'));
  expect(await run(['tools', 'list', '--markdown'], io, unused)).toBe(0);
  expect(io.err()).toBe('');
  return io.out();
}

describe('the table of all tools', () => {
  it('is up to date', async () => {
    const now = await written();
    if (wantsUpdate(process.env)) writeFileSync(file, now);
    expect(readFileSync(file, 'utf8').replaceAll('\r\n', '\n')).toBe(now);
  });

  it('has a row of nine cells for each tool, with all of its parameters and sayable values', async () => {
    const rows = (await written())
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.slice(2, -2).split(' | '));
    const tools = Object.values(toolDefinitions);
    expect(rows.map(([name]) => name)).toEqual(tools.map(({ name }) => `\`${name}\``));
    for (const [index, { parameters, sayable, effect, ...tool }] of tools.entries()) {
      const [, operation, , callers = '', bound = '', , , by, said = ''] = rows[index] ?? [];
      expect(rows[index]).toHaveLength(9);
      expect(operation).toBe(`\`${tool.operation}\`<br>\`${tool.method} ${tool.path}\``);
      expect(by).toBe(effect === 'reads' ? 'handler or platform' : 'handler');
      expect(namesIn(callers)).toEqual(namesFrom(parameters, 'caller'));
      expect(namesIn(bound)).toEqual(namesFrom(parameters, 'binding'));
      expect(namesIn(said)).toEqual(sayable.map(({ name }) => name));
    }
  });
});

function namesIn(cell: string): string[] {
  return cell.split('<br>').flatMap((line) => /^\**`(\w+)`/.exec(line)?.slice(1) ?? []);
}

function namesFrom(parameters: readonly { name: string; from: string }[], from: string): string[] {
  return parameters.filter((each) => each.from === from).map(({ name }) => name);
}

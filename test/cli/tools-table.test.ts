/** The table of all tools in Markdown; that the page has it, test/pages checks. */
import { describe, expect, it } from 'vitest';
import { toolDefinitions } from '../../src/tools.js';
import { toolsPage } from '../pages/pages.js';

describe('the table of all tools', () => {
  it('has a row of nine cells for each tool, with all of its parameters and sayable values', async () => {
    const rows = (await toolsPage())
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

import { describe, expect, it } from 'vitest';
import { run } from '../../src/cli/run.js';
import { parametersSchema, toolDefinitions } from '../../src/tools.js';
import { fakeIo, type Surroundings } from './fake-io.js';

const tools = Object.values(toolDefinitions);

async function squadc(argv: string[], surroundings: Surroundings = {}) {
  const io = fakeIo(surroundings);
  const exitCode = await run(argv, io);
  return { exitCode, out: io.out(), err: io.err() };
}

const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
const widest = (text: string) => Math.max(...text.split('\n').map((line) => line.length));

describe('squadc tools list', () => {
  it('has a line for each tool: name, operation, effect and what it is for', async () => {
    const { exitCode, out, err } = await squadc(['tools', 'list']);
    expect([exitCode, err]).toEqual([0, '']);
    const lines = out.trimEnd().split('\n');
    expect(lines).toHaveLength(tools.length);
    for (const [index, { name, operation, effect, description }] of tools.entries()) {
      const [first, second, third, purpose = '?'] = lines[index]?.split(/ {2,}/) ?? [];
      expect([first, second, third]).toEqual([name, operation, effect]);
      expect(purpose).toMatch(/^[A-Z][^.]+\.$/);
      expect(description.startsWith(purpose)).toBe(true);
    }
  });

  it.each([60, 80, 100])('fits a terminal of %i columns and says the same', async (columns) => {
    const { out } = await squadc(['tools', 'list'], {
      isTTY: true,
      columns,
      env: { NO_COLOR: '1' },
    });
    expect(widest(out)).toBeLessThanOrEqual(Math.max(columns, 70));
    expect(words(out)).toBe(words((await squadc(['tools', 'list'])).out));
  });

  it('prints all definitions as JSON', async () => {
    const { exitCode, out } = await squadc(['tools', 'list', '--json']);
    expect(exitCode).toBe(0);
    expect(JSON.parse(out)).toEqual(tools);
  });
});

describe('squadc tools show', () => {
  it.each(tools)('$operation: everything that the table says', async (tool) => {
    const { exitCode, out, err } = await squadc(['tools', 'show', tool.operation]);
    expect([exitCode, err]).toEqual([0, '']);
    expect(out.startsWith(`${tool.name} (${tool.operation})\n`)).toBe(true);
    expect(words(out)).toContain(words(tool.description));
    expect(out).toContain(`\n  ${tool.method} ${tool.path}\n`);
    expect(out.includes('or by the platform itself')).toBe(tool.direct);
    const [beforeBound = '', bound = ''] = out.split('\nThe configuration binds\n');
    for (const { name, from, description } of tool.parameters) {
      const part = from === 'caller' ? beforeBound : bound;
      expect(part, name).toMatch(new RegExp(`^  ${name}: `, 'm'));
      expect(words(part), name).toContain(words(description));
    }
    for (const { name, as, at } of tool.sayable) {
      expect(words(out)).toContain(`${name} ${as} ${at}`);
    }
    expect(widest(out)).toBeLessThanOrEqual(80);
  });

  it('says what a value may be', async () => {
    const { out } = await squadc(['tools', 'show', 'bills.create']);
    expect(out).toContain('\n  netAmount: a number, 0.01 to 999999999.99; required\n');
    expect(out).toContain('\n  billNumber: a text, at most 60 characters\n');
    expect(out).toContain('\n  mode: one of 0, 1\n');
    expect(out).toContain('\n  billDate: a day, YYYY-MM-DD; required\n');
    expect(out).toContain('\n  sent again: only with its key, while the service keeps that\n');
    const { out: file } = await squadc(['tools', 'show', 'bills.getAttachment']);
    expect(file).toContain('\n  idBill: a whole number, 1 or more; required\n');
    expect(file).toContain('\n  returnObject: always true\n');
    const { out: document } = await squadc(['tools', 'show', 'documents.extract']);
    expect(words(document)).toContain(
      'fileUrl: an https address, at most 2000 characters; required; not where fileId is bound',
    );
  });

  it('knows a tool by its name too', async () => {
    const { out } = await squadc(['tools', 'show', 'get_bill']);
    expect(out).toBe((await squadc(['tools', 'show', 'bills.get'])).out);
  });

  it('prints a definition and its schema as JSON', async () => {
    const { exitCode, out } = await squadc(['tools', 'show', 'bills.get', '--json']);
    expect(exitCode).toBe(0);
    const tool = toolDefinitions['bills.get'] ?? expect.fail();
    expect(JSON.parse(out)).toEqual({ ...tool, schema: parametersSchema(tool) });
  });

  it('paints names and headings on a terminal', async () => {
    const { out } = await squadc(['tools', 'show', 'bills.get'], { isTTY: true });
    expect(out).toContain('\u001b[1mget_bill\u001b[22m');
    expect(out).toContain('\u001b[1midBill\u001b[22m:');
  });

  it.each([
    ['bills.gt', '(Did you mean bills.get?)'],
    ['documents.extrct', '(Did you mean documents.extract?)'],
    ['delete_bills', '(Did you mean delete_bill?)'],
    ['constructor', '(squadc tools list shows all operations)'],
    ['\u001b[2J', '(squadc tools list shows all operations)'],
  ])('refuses the unknown operation %j', async (operation, hint) => {
    const { exitCode, out, err } = await squadc(['tools', 'show', operation]);
    expect([exitCode, out]).toEqual([64, '']);
    const shown = operation.replace('\u001b', '\\u001b');
    expect(err).toBe(`squadc: unknown operation '${shown}'\n${hint}\n`);
  });
});

describe('squadc tools', () => {
  it.each([[[]], [['shw']], [['show']], [['list', 'bills.get']]])(
    '%j is wrong usage',
    async (rest) => {
      const { exitCode, out, err } = await squadc(['tools', ...rest]);
      expect([exitCode, out]).toEqual([64, '']);
      expect(err).not.toBe('');
    },
  );
});

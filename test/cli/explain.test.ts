import { describe, expect, it } from 'vitest';
import { explainFault, faultCodes } from '../../src/cli/faults/explain-fault.js';
import { run } from '../../src/cli/run.js';
import * as library from '../../src/diagnostics/explain.js';
import { fakeIo, type Surroundings } from './fake-io.js';
import { stubApi } from './stub-api.js';

async function squadc(argv: string[], surroundings: Surroundings = {}) {
  const io = fakeIo(surroundings);
  const exitCode = await run(argv, io, stubApi().load);
  return { exitCode, out: io.out(), err: io.err() };
}

const codes = [...library.codes(), ...faultCodes].sort();
const explain = (code: string) => library.explain(code) ?? explainFault(code);

const words = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

describe('squadc explain', () => {
  it.each(codes)('%s', async (code) => {
    const { exitCode, out, err } = await squadc(['explain', code]);
    expect([exitCode, err]).toEqual([0, '']);
    const explanation = explain(code);
    const { kind, severity, title, why, help, choices = [] } = explanation ?? expect.fail();
    const reason = why === undefined ? '' : `Why ${words(why)} `;
    expect(words(out)).toContain(
      `${code} (${severity ?? kind}) ${title} ${reason}What to do ${words(help)}`,
    );
    for (const { key, label, effect } of choices) {
      expect(words(out)).toContain(words(`${key}: ${label} ${effect}`));
    }
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
  });

  it('lists all codes with their titles', async () => {
    const { exitCode, out } = await squadc(['explain']);
    expect(exitCode).toBe(0);
    const listed = out
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(listed).toEqual(codes.map((code) => [code, explain(code)?.title]));
  });

  it.each([
    ['shape/not-jsn', '(Did you mean shape/not-json?)'],
    ['push/unknwon', '(Did you mean push/unknown?)'],
    ['cyclic-stage', '(Did you mean cyclic-stages?)'],
    ['constructor', '(squadc explain lists all codes)'],
    ['\u001b[2J', '(squadc explain lists all codes)'],
  ])('refuses the unknown code %j', async (code, hint) => {
    const { exitCode, out, err } = await squadc(['explain', code]);
    expect([exitCode, out]).toEqual([64, '']);
    expect(err).toBe(`squadc: unknown code '${code.replace('\u001b', '\\u001b')}'\n${hint}\n`);
  });

  it('paints headings on a terminal', async () => {
    const { out } = await squadc(['explain', 'shape/not-json'], { isTTY: true });
    expect(out).toContain('\u001b[1mWhat to do\u001b[22m');
  });
});

/** Squads that others wrote: no sound one is refuted, and no wrong one is called sound. */
import { describe, expect, it } from 'vitest';
import { verify } from '../../src/index.js';
import { platform, platformFaults } from '../json.js';
import { foreignSquads } from './foreign/squads.js';

describe('a squad that squadc did not write', () => {
  it.each(foreignSquads)('$title: $verdict', ({ workflow, squad, verdict, reason }) => {
    const found = verify(workflow, squad);
    const faults = found.checklist.flatMap(({ evidence }) => evidence.filter((it) => !it.holds));
    const errors = found.diagnostics.filter(({ severity }) => severity === 'error');
    const said = {
      fails: [...faults.map(({ text }) => text), ...errors.map(({ message }) => message)],
      undecided: found.undecided.map(({ text }) => text),
      holds: [],
    };
    expect([found.verdict, found.holds]).toEqual([verdict, verdict === 'holds']);
    expect(said[verdict].join('\n')).toContain(reason);
    // Each place that is undecided is one of the documents.
    for (const { at } of found.undecided) expect(at.length).toBeGreaterThan(0);
    if (verdict === 'undecided') expect(errors).toEqual([]);
    if (verdict === 'holds') expect(found.undecided).toEqual([]);
  });

  it('is of every verdict, and they are many', () => {
    for (const wanted of ['holds', 'fails', 'undecided']) {
      const some = foreignSquads.filter(({ verdict }) => verdict === wanted);
      expect(some.length).toBeGreaterThan(12);
    }
  });

  it.skipIf(platform === null)('is one that the platform would accept, if it holds', () => {
    const sound = foreignSquads.filter(
      ({ verdict, squad }) => verdict === 'holds' && !('squad' in squad),
    );
    for (const { title, squad } of sound.filter(({ squad: it }) => !('id' in it)))
      expect([title, platformFaults(squad)]).toEqual([title, []]);
  });
});

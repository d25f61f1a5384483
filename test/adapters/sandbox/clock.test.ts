import { describe, expect, it, onTestFinished } from 'vitest';
import { type ClockOptions, createSchedule } from '../../../src/adapters/sandbox/clock.js';

function clock(options: ClockOptions = { mode: 'manual', startAt: 1000 }) {
  const schedule = createSchedule(options);
  onTestFinished(schedule.stop);
  return schedule;
}

describe('a clock that stands', () => {
  it('moves only when it is moved, and never back', () => {
    const schedule = clock();
    expect(schedule.now()).toBe(1000);
    schedule.advance(500);
    schedule.advance(-100);
    expect(schedule.now()).toBe(1500);
  });

  it('does what is due in order, at the time at which it was due', () => {
    const schedule = clock();
    const done: string[] = [];
    const note = (name: string) => () => done.push(`${name} ${schedule.now()}`);
    schedule.at(1300, note('late'));
    schedule.at(1100, () => {
      note('early')();
      schedule.at(1200, note('added'));
      schedule.at(1050, note('overdue'));
    });
    schedule.at(1300, note('later'));
    schedule.at(1301, note('never'));
    schedule.advance(300);
    expect(done).toEqual(['early 1100', 'overdue 1100', 'added 1200', 'late 1300', 'later 1300']);
  });

  it('forgets at its end what was to come', () => {
    const schedule = clock();
    schedule.at(1100, () => expect.unreachable());
    schedule.stop();
    schedule.advance(1000);
  });
});

describe('a clock that runs', () => {
  it('shows the time of the machine, and what it was moved forward', () => {
    const schedule = clock({});
    expect(Math.abs(schedule.now() - Date.now())).toBeLessThan(1000);
    schedule.advance(60_000);
    expect(Math.abs(schedule.now() - Date.now() - 60_000)).toBeLessThan(1000);
  });

  it('does what is due by itself, the earlier first', async () => {
    const schedule = clock({});
    const done: number[] = [];
    schedule.at(schedule.now() + 60, () => done.push(2));
    schedule.at(schedule.now() + 20, () => done.push(1));
    schedule.at(schedule.now() + 60_000, () => done.push(3));
    await expect.poll(() => done).toEqual([1, 2]);
    schedule.advance(60_000);
    expect(done).toEqual([1, 2, 3]);
  });
});

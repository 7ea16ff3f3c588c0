import { expect } from 'chai';
import { Clock, ClockError } from '../../src/engine/clock.js';

describe('the clock', () => {
  function world(mark: number, allowLead = false) {
    const time = { wall: 100_000, monotonic: 7_000 };
    const clock = new Clock({ mark, allowLead, wall: () => time.wall, monotonic: () => time.monotonic });
    return { time, clock };
  }

  it('follows the monotonic clock, and no jump of the wall clock', () => {
    const { time, clock } = world(0);
    expect(clock.now()).to.equal(100_000);
    time.monotonic += 250.7;
    time.wall -= 3_600_000;
    expect(clock.now()).to.equal(100_250);
    time.wall += 7_200_000;
    expect(clock.now()).to.equal(100_250);
  });

  it('does not go below the mark after a restart, and stands there until the wall clock has caught up', () => {
    const { time, clock } = world(102_000);
    expect(clock.now()).to.equal(102_000);
    time.monotonic += 1_999;
    expect(clock.now()).to.equal(102_000);
    time.monotonic += 11;
    expect(clock.now()).to.equal(102_010);
  });

  it('asks for a mark at least a second ahead of every instant in use, before the last one is reached', () => {
    const { time, clock } = world(0);
    const mark = clock.reservation(clock.now());
    expect(mark).to.be.at.least(101_000);
    clock.reserved(mark as number);
    for (;;) {
      const now = clock.now();
      const next = clock.reservation(now);
      if (next !== undefined) {
        expect(clock.mark).to.be.at.least(now);
        expect(next).to.be.at.least(now + 1_000);
        break;
      }
      expect(clock.mark).to.be.at.least(now + 1_000);
      time.monotonic += 100;
    }
  });

  it('needs no new mark while it stands at the old one: restarts in a row do not add up to a lead', () => {
    const { clock } = world(102_000);
    expect(clock.reservation(clock.now())).to.equal(undefined);
  });

  it('refuses a mark over a minute ahead of the wall clock, and says why', () => {
    expect(() => world(160_001)).to.throw(ClockError, /wall clock is 61 s behind.*--allow-clock-lead/);
    expect(() => world(160_000)).not.to.throw();
  });

  it('runs on from such a mark when told to', () => {
    const { time, clock } = world(3_700_000, true);
    expect(clock.now()).to.equal(3_700_000);
    time.monotonic += 50;
    expect(clock.now()).to.equal(3_700_050);
  });

  it('stands still once it is set by hand', () => {
    const { time, clock } = world(0);
    clock.set(500_000);
    time.monotonic += 1_000;
    expect(clock.now()).to.equal(500_000);
    expect(clock.isManual).to.equal(true);
  });
});

import { expect } from 'chai';
import type { ScheduleRecord } from '../../clients/typescript/index.js';
import { EMPTY, NOT_IMPLEMENTED, notFound, TestServer, value } from './fixture.js';

const MINUTE = 60_000;

describe('e2e: ScheduleService', () => {
  let server: TestServer;
  let spec: Omit<ScheduleRecord, 'createdAtMs' | 'nextRunAtMs' | 'lastRunAtMs'>;
  let record: ScheduleRecord;

  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(async () => {
    await server.reset();
    spec = {
      id: 's',
      cron: '* * * * *',
      promiseId: '{{.id}}/{{.timestamp}}',
      promiseTimeoutMs: 10 * MINUTE,
      promiseParam: value('param'),
      promiseTags: new Map([['k', 'v']]),
    };
    const nextRunAtMs = (Math.floor(server.now / MINUTE) + 1) * MINUTE;
    record = { ...spec, createdAtMs: server.now, nextRunAtMs, lastRunAtMs: undefined };
  });

  describe('ScheduleCreate', () => {
    it('creates a schedule', async () => {
      const { schedule } = await server.client.scheduleCreate({ schedule: spec });
      expect(schedule).to.deep.equal(record);
      expect((await server.snapshot()).schedules).to.deep.equal([record]);
    });

    it('takes an absent param for an empty one', async () => {
      const { schedule } = await server.client.scheduleCreate({ schedule: { ...spec, promiseParam: undefined } });
      expect(schedule).to.deep.equal({ ...record, promiseParam: EMPTY });
    });

    it('answers with the schedule that stands', async () => {
      await server.client.scheduleCreate({ schedule: spec });
      await server.setClock(server.now + 1);
      const before = await server.snapshot();
      const { schedule } = await server.client.scheduleCreate({ schedule: { ...spec, cron: '0 0 1 1 *' } });
      expect(schedule).to.deep.equal(record);
      expect(await server.snapshot()).to.deep.equal(before);
    });
  });

  describe('ScheduleGet', () => {
    it('answers with the schedule, before and after it has run', async () => {
      await server.client.scheduleCreate({ schedule: spec });
      expect((await server.client.scheduleGet({ id: 's' })).schedule).to.deep.equal(record);
      await server.advance(MINUTE);
      const lastRunAtMs = record.nextRunAtMs;
      const ran = { ...record, lastRunAtMs, nextRunAtMs: lastRunAtMs + MINUTE };
      expect((await server.client.scheduleGet({ id: 's' })).schedule).to.deep.equal(ran);

      const { promise } = await server.client.promiseGet({ id: `s/${lastRunAtMs}` });
      expect(promise).to.deep.equal(
        server.promise(`s/${lastRunAtMs}`, {
          param: value('param'),
          tags: spec.promiseTags,
          createdAtMs: lastRunAtMs,
          timeoutAtMs: lastRunAtMs + 10 * MINUTE,
        }),
      );
    });

    it('404', () => server.refuses(() => server.client.scheduleGet({ id: 's' }), notFound('SCHEDULE_NOT_FOUND', 's')));
  });

  describe('ScheduleDelete', () => {
    it('deletes the schedule and its timeout', async () => {
      await server.client.scheduleCreate({ schedule: spec });
      expect(await server.client.scheduleDelete({ id: 's' })).to.deep.equal({});
      const { schedules, timeouts } = await server.snapshot();
      expect({ schedules, timeouts }).to.deep.equal({ schedules: [], timeouts: [] });
    });

    it('404', () =>
      server.refuses(() => server.client.scheduleDelete({ id: 's' }), notFound('SCHEDULE_NOT_FOUND', 's')));
  });

  it('ScheduleSearch: 501, whatever the request', async () => {
    for (const request of [{}, { limit: 10, cursor: 'c' }]) {
      await server.refuses(() => server.client.scheduleSearch(request), NOT_IMPLEMENTED);
    }
  });
});

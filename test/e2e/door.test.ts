/** SPEC "Requests that are not requests", for every field of every request. */
import { expect } from 'chai';
import { Code, ResonateError } from '../../clients/typescript/index.js';
import { expectRefusal, failureOf, invalidRequest, RPCS, TestServer, type Rpc } from './fixture.js';
import { fieldsOfRequests } from './descriptors.js';
import {
  COUNTS,
  CRON,
  encode,
  ENUMS,
  FREE_TEXTS,
  MAPS,
  NATURALS,
  NOT_UTF8,
  REQUIRED,
  TAGS,
  TEXTS,
  TTLS,
  VALID,
  type Field,
} from './requests.js';

const LIMIT = '2^53 - 1';
const MAX = BigInt(Number.MAX_SAFE_INTEGER);

describe('e2e: requests that are not requests', () => {
  let server: TestServer;
  before(async () => (server = await TestServer.start()));
  after(() => server.end());
  beforeEach(() => server.reset());

  /** Whether the door let it in: the handler may still have refused it. */
  async function isLetIn(rpc: Rpc, bytes: Uint8Array): Promise<boolean> {
    const error: unknown = await server.send(rpc, bytes).then(
      () => undefined,
      (error: unknown) => error,
    );
    if (error === undefined) return true;
    expect(error).to.be.instanceOf(ResonateError);
    const { code } = error as ResonateError;
    expect(Code[code]).to.be.oneOf([
      'NOT_FOUND',
      'ABORTED',
      'FAILED_PRECONDITION',
      'UNIMPLEMENTED',
      'INVALID_ARGUMENT',
    ]);
    return code !== Code.INVALID_ARGUMENT;
  }

  /** Each of these values is refused: by name, with the limit, and without a change. */
  async function refusesAll(
    [rpc, field, build]: Field,
    values: readonly unknown[],
    { limit = '', name = field } = {},
  ): Promise<void> {
    const before = await server.snapshot();
    for (const value of values) {
      const error = await failureOf(server.send(rpc, encode(rpc, build(value as never))));
      expectRefusal(error, invalidRequest(name));
      expect(error.message).to.include(name).and.to.include(limit);
    }
    expect(await server.snapshot()).to.deep.equal(before);
  }

  /** Each of these values is let in. */
  async function letsInAll([rpc, field, build]: Field, values: readonly unknown[]): Promise<void> {
    for (const value of values) {
      expect(await isLetIn(rpc, encode(rpc, build(value as never))), `${rpc} ${field} ${String(value)}`).to.equal(true);
    }
  }

  it('is asked about every field of every request', () => {
    const asked = [...TEXTS, CRON, ...NATURALS, ...TTLS, ...COUNTS, ...ENUMS, ...REQUIRED, ...MAPS, ...FREE_TEXTS].map(
      ([rpc, field]) => `${rpc} ${field.replaceAll(/\[\d\]/g, '[]')}`,
    );
    // Payloads and flags cannot be wrong; lists are asked about entry by entry.
    const free = /\.data$|auto_acknowledge_unblocks$/;
    const fields = fieldsOfRequests().filter((field) => !free.test(field));
    expect([...new Set(asked)].sort()).to.deep.equal(fields.sort());
  });

  it('lets in a valid request of every RPC', async () => {
    for (const rpc of RPCS) expect(await isLetIn(rpc, encode(rpc, VALID[rpc])), rpc).to.equal(true);
  });

  describe('text of 1 to 512 bytes of UTF-8 without NUL', () => {
    for (const each of TEXTS)
      it(`${each[0]} ${each[1]}`, async () => {
        await refusesAll(each, ['', 'x'.repeat(513), '😀'.repeat(128) + 'x'], { limit: '512' });
        await refusesAll(each, ['\0', 'a\0b', NOT_UTF8, `a${NOT_UTF8}b`]);
        await letsInAll(each, ['x'.repeat(512), '😀'.repeat(128), '\u0001'.repeat(512), '\ufeffx', '%', '__proto__']);
      });
  });

  describe('natural numbers up to 2^53 - 1', () => {
    for (const each of [...NATURALS, ...TTLS])
      it(`${each[0]} ${each[1]}`, async () => {
        await refusesAll(each, [-1n, MAX + 1n, MAX + 2n, 2n ** 63n - 1n, -(2n ** 63n), -MAX], { limit: LIMIT });
        await letsInAll(each, [1n, MAX]);
      });

    for (const each of NATURALS) it(`${each[0]} ${each[1]}: 0 is let in`, () => letsInAll(each, [0n]));
    for (const each of TTLS) it(`${each[0]} ${each[1]}: 0 is refused`, () => refusesAll(each, [0n], { limit: '1 to' }));
    for (const each of COUNTS)
      it(`${each[0]} ${each[1]}: up to 2^31 - 1`, async () => {
        await refusesAll(each, [-1, -(2 ** 31)], { limit: '2147483647' });
        await letsInAll(each, [0, 2 ** 31 - 1]);
      });
  });

  describe('enums', () => {
    for (const [rpc, name, build, count] of ENUMS)
      it(`${rpc} ${name}`, async () => {
        const each: Field = [rpc, name, build];
        await refusesAll(each, [0, count + 1, 99, -1, 2 ** 31 - 1], { limit: `1, 2, 3` });
        await letsInAll(
          each,
          Array.from({ length: count }, (_, i) => i + 1),
        );
      });
  });

  describe('required messages', () => {
    for (const each of REQUIRED)
      it(`${each[0]} ${each[1]}`, () => refusesAll(each, [undefined], { limit: 'required' }));
  });

  describe('maps', () => {
    for (const each of MAPS)
      it(`${each[0]} ${each[1]}`, async () => {
        await refusesAll(each, [new Map([[`k${NOT_UTF8}`, 'v']])], { name: `a key of ${each[1]}` });
        await refusesAll(each, [new Map([['k', NOT_UTF8]])], { name: `${each[1]}["k"]` });
        await letsInAll(each, [new Map([['', '']]), new Map([['k', '\0']]), new Map([['k', 'x'.repeat(10_000)]])]);
      });
  });

  describe('at most 10,000 entries of a list or a map', () => {
    const lists: readonly Field[] = [
      ['taskHeartbeat', 'tasks', (tasks) => ({ ...VALID.taskHeartbeat, tasks })],
      ['taskSuspend', 'awaited_ids', (awaitedIds) => ({ ...VALID.taskSuspend, awaitedIds })],
      ['dispatchAcknowledge', 'unblocks', (unblocks) => ({ unblocks })],
    ];
    const entry: Readonly<Record<string, unknown>> = {
      tasks: { id: 't', version: 1 },
      awaited_ids: 'a',
      unblocks: { promiseId: 'p', address: 'a' },
    };
    for (const each of lists)
      it(`${each[0]} ${each[1]}`, async () => {
        const of = (count: number) => Array.from({ length: count }, () => entry[each[1]]);
        await refusesAll(each, [of(10_001)], { limit: '10001 entries; the limit is 10000' });
        await letsInAll(each, [of(10_000)]);
      });

    for (const each of MAPS)
      it(`${each[0]} ${each[1]}`, async () => {
        const of = (count: number) => new Map(Array.from({ length: count }, (_, i) => [`k${i}`, '']));
        await refusesAll(each, [of(10_001)], { limit: '10001 entries; the limit is 10000' });
        await letsInAll(each, [of(10_000)]);
      });
  });

  describe('text without a limit', () => {
    for (const each of FREE_TEXTS)
      it(`${each[0]} ${each[1]}`, async () => {
        await refusesAll(each, [NOT_UTF8]);
        await letsInAll(each, ['', 'x'.repeat(513)]);
      });
  });

  describe('tags with meaning', () => {
    const tagged = ([rpc, field, build]: Field, tag: string): Field => [
      rpc,
      `${field}["${tag}"]`,
      (text) => build(new Map([[tag, text]]) as never),
    ];
    for (const each of TAGS) {
      it(`${each[0]} ${each[1]}: resonate:target`, async () => {
        const target = tagged(each, 'resonate:target');
        await refusesAll(target, ['x'.repeat(513), '😀'.repeat(129)], { limit: '512' });
        await refusesAll(target, ['a\0', NOT_UTF8]);
        await letsInAll(target, ['', '😀'.repeat(128)]);
      });

      it(`${each[0]} ${each[1]}: resonate:delay`, async () => {
        const delay = tagged(each, 'resonate:delay');
        const bad = [
          '',
          ' ',
          'soon',
          '-1',
          '+1',
          '1.5',
          '1e3',
          '0x10',
          ' 1',
          '1 ',
          '１',
          String(MAX + 1n),
          '9'.repeat(40),
        ];
        await refusesAll(delay, bad, { limit: LIMIT });
        await letsInAll(delay, ['0', '007', String(MAX)]);
      });
    }
  });

  describe('cron', () => {
    it('empty, too long, NUL, not UTF-8', async () => {
      await refusesAll(CRON, ['', `${' '.repeat(513)}* * * * *`], { limit: '512' });
      await refusesAll(CRON, ['* * * * *\0', `* * * * ${NOT_UTF8}`]);
    });

    it('nonsense', () =>
      refusesAll(CRON, [
        ...['every minute', '*', '* * * *', '* * * * * * *', '60 * * * *', '* 24 * * *', '* * 0 * *', '* * 32 * *'],
        ...[
          '* * * 0 *',
          '* * * 13 *',
          '* * * * 8',
          '*/0 * * * *',
          '5-1 * * * *',
          '-1 * * * *',
          '@hourly',
          '1,,2 * * * *',
        ],
        ...['* * L * *', '* * 1W * *', '* * * * 1#2', '* * * FOO *', '60 * * * * *', '1.5 * * * *', '? * * * *'],
      ]));

    it('never fires', () =>
      refusesAll(CRON, ['0 0 30 2 *', '0 0 31 4,6,9,11 *', '0 0 0 31 FEB *'], { limit: 'never' }));

    it('is let in with five or six fields, names, ranges, steps and lists', async () => {
      // The id stands after the first: so these must not be compared with one another.
      for (const cron of [
        ...['* * * * *', '*/5 0-6,12 1 JAN-mar Mon,tue,7', '0 0 29 2 *', '59 23 31 12 0', '  1   2 3 4 5  '],
        ...['30 * * * * *', '*/10 */10 * * * *', '0 0 13 * FRI', '0 0 1 1 sun', '10-50/5 * * * *'],
      ]) {
        await server.reset();
        await letsInAll(CRON, [cron]);
      }
    });
  });

  describe('a template of promise ids', () => {
    const template = (id: string, promiseId: string) =>
      encode('scheduleCreate', { schedule: { id, promiseId, cron: '* * * * *', promiseTimeoutMs: 1 } });

    const refused: readonly (readonly [id: string, promiseId: string])[] = [
      ['s', `${'x'.repeat(497)}{{.timestamp}}`],
      ['i'.repeat(256), '{{.id}}x{{.id}}'],
      ['é'.repeat(128), `${'x'.repeat(257)}{{.id}}`],
    ];
    for (const [id, promiseId] of refused)
      it(`${id.length} characters of id in ${promiseId.length}`, async () => {
        const error = await failureOf(server.send('scheduleCreate', template(id, promiseId)));
        expectRefusal(error, invalidRequest('schedule.promise_id'));
        expect(error.message).to.include('513').and.to.include('512');
        expect((await server.snapshot()).schedules).to.deep.equal([]);
      });

    it('is let in up to 512 bytes with a timestamp of 16 digits', async () => {
      for (const [id, promiseId] of [
        ['s', `${'x'.repeat(496)}{{.timestamp}}`],
        ['i'.repeat(256), '{{.id}}{{.id}}'],
        ['é'.repeat(128), `${'x'.repeat(256)}{{.id}}`],
        ['plain', 'nothing varies'],
        ['unknown', '{{.other}}{{ .id }}'],
      ] as const) {
        expect(await isLetIn('scheduleCreate', template(id, promiseId)), id).to.equal(true);
      }
    });
  });

  it('TaskSuspend awaits at least one promise, and not its own', async () => {
    const suspend: Field = ['taskSuspend', 'awaited_ids', (awaitedIds) => ({ ...VALID.taskSuspend, awaitedIds })];
    await refusesAll(suspend, [[]], { limit: 'at least one' });
    await refusesAll(suspend, [['a', 'absent']], { name: 'awaited_ids[1]', limit: 'own' });
  });

  it('outranks every status, and one bad entry refuses the whole request', async () => {
    await server.acquired('t');
    await server.setClock(server.now + 500);
    const tasks = [
      { id: 't', version: 1 },
      { id: '', version: 1 },
    ];
    await server.refuses(() => server.client.taskHeartbeat({ pid: 'pid', tasks }), invalidRequest('tasks[1].id'));
    const unblocks = [{ promiseId: 'p', address: 'a' }, { promiseId: 'p' }];
    await server.refuses(() => server.client.dispatchAcknowledge({ unblocks }), invalidRequest('unblocks[1].address'));
    const settle = { $case: 'settle', value: { id: 't', state: 0 } } as const;
    const fence = { id: 't', version: 9, action: settle };
    await server.refuses(() => server.client.taskFence(fence), invalidRequest('settle.state'));
  });

  it('runs before due timeouts', async () => {
    await server.create('t', { 'resonate:timer': 'true' }, server.now + 10);
    await server.setClock(server.now + 10);
    const settlement = { id: 't', state: 0 };
    await server.refuses(() => server.client.promiseSettle({ settlement }), invalidRequest('settlement.state'));
  });
});

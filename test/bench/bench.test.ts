import { expect } from 'chai';
import { ServerProcess, removeDirectory } from '../support/server-process.js';
import { bench, type Cell } from './bench.js';
import { commitPath, type CommitCost } from './commit-path.js';
import { pageSync } from './disk.js';
import { percentile } from './load.js';
import { ratios } from './ratios.js';
import { pipelineTransport, unaryTransport } from './transports.js';
import { usageOf } from './usage.js';

describe('bench', () => {
  it('measures every row over both transports, and the floor', async () => {
    const cells: Cell[] = [];
    const idle = await bench({ inFlight: [1, 8], seconds: 0.2 }, (cell) => cells.push(cell));
    const rows = ['create', 'get', 'acquire', 'fulfil', 'heartbeat of 100', 'suspend, resume', 'whole life'];
    const expected = [1, 8].flatMap((inFlight) => [
      `empty call bare grpc-js ${inFlight}`,
      `empty call bare http2 ${inFlight}`,
      ...rows.map((row) => `${row} unary ${inFlight}`),
      ...rows.map((row) => `${row} pipelined ${inFlight}`),
    ]);
    expect(cells.map(({ row, transport, inFlight }) => `${row} ${transport} ${inFlight}`)).to.deep.equal(expected);
    for (const { perSecond, p50, p99, p999 } of cells) {
      expect(perSecond).to.be.greaterThan(0);
      expect(p50).to.be.greaterThan(0);
      expect(p99).to.be.at.least(p50);
      expect(p999).to.be.at.least(p99);
    }
    const { unary, pipelined, echo, commit } = idle;
    for (const figure of [unary, pipelined, echo, commit]) expect(figure).to.be.greaterThan(0);
    for (const { row, bytes } of cells) if (row === 'create') expect(bytes).to.be.greaterThan(100);
  });

  for (const connect of [unaryTransport, pipelineTransport])
    it(`does not count errors as answers: ${connect.name}`, async () => {
      const server = await ServerProcess.start();
      const transport = connect(server.address);
      try {
        const request = transport.call({ $case: 'promiseGet', value: { id: 'absent' } });
        const error = await request.catch((e: unknown) => e);
        expect(error).to.be.an('error');
      } finally {
        transport.close();
        await server.stop();
        removeDirectory(server.data);
      }
    });

  it('measures the commit path, and LMDB alone with the same rows', () => {
    const batch = 8;
    const costs = commitPath({ warmUp: batch, lives: 2 * batch, batch });
    expect(costs.map(({ operation }) => operation)).to.deep.equal(['promise.create', 'task.acquire', 'task.fulfill']);
    for (const { handlers, alone, commitP50 } of costs)
      for (const figure of [handlers, alone, commitP50]) expect(figure).to.be.greaterThan(0);
    // What a life writes: index, promise, task, deadline, execute; task, lease, no execute; promise, task, no deadline, no lease.
    const counters = 1 / batch;
    expect(costs.map(({ rows }) => rows)).to.deep.equal([5 + counters, 3, 4]);
  });

  it('measures what a sync of the disk takes', () => {
    expect(pageSync(10)).to.be.greaterThan(0);
  });

  it('sets what was measured against its floors', () => {
    const cell = (row: string, transport: string, inFlight: number, figures: Partial<Cell>): Cell => ({
      ...{ row, transport, inFlight, perSecond: NaN, p50: NaN, p99: NaN, p999: NaN },
      ...{ serverCpu: NaN, clientCpu: NaN, bytes: NaN },
      ...figures,
    });
    const cells = [
      cell('empty call', 'bare grpc-js', 64, { serverCpu: 50 }),
      cell('create', 'unary', 64, { serverCpu: 75 }),
      cell('acquire', 'unary', 256, { perSecond: 100 }),
      cell('acquire', 'pipelined', 256, { perSecond: 500 }),
      cell('whole life', 'pipelined', 256, { perSecond: 60 }),
    ];
    const cost = (handlers: number, alone: number): CommitCost => ({
      ...{ operation: '', commitP50: NaN, rows: NaN, bytes: NaN },
      ...{ handlers, alone },
    });
    // Three steps of 1/300 s make a life of 1/100 s.
    const batched = Array.from({ length: 3 }, () => cost(210, 300));
    const found = ratios(cells, { unary: 450, pipelined: 300, echo: 100, commit: 200 }, batched);
    expect(found.map(({ value }) => Number(value.toFixed(6)))).to.deep.equal([1.5, 5, 0.6, 0.7, 1.5, 1]);
    expect(found.map(({ aim }) => aim)).to.deep.equal(['≤ 1.4', '≥ 4', '≥ 0.5', '≥ 0.6', '≤ 1.5', '≤ 1.5']);
  });

  it('reads percentiles', () => {
    const hundred = Array.from({ length: 100 }, (_, i) => i + 1);
    expect([0, 0.5, 0.99, 1].map((share) => percentile(hundred, share))).to.deep.equal([1, 50, 99, 100]);
    expect(percentile([7], 0.999)).to.equal(7);
    expect(percentile([], 0.5)).to.be.NaN;
  });

  it('reads what a process has used', () => {
    const before = usageOf(process.pid).cpuUs;
    const endAt = process.cpuUsage().user + 200_000;
    while (process.cpuUsage().user < endAt);
    const used = usageOf(process.pid).cpuUs - before;
    // At least what was burnt, less two ticks of the kernel's accounts.
    expect(used).to.be.at.least(180_000);
  });
});

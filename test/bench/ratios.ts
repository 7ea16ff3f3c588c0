/** The figures that stand for all: what an operation costs and how fast it is, against its floors of the same run. */
import type { Cell, IdlePush } from './bench.js';
import type { CommitCost } from './commit-path.js';

export interface Ratio {
  readonly name: string;
  readonly value: number;
  /** What is aimed at: at most, or at least. */
  readonly aim: `≤ ${number}` | `≥ ${number}`;
}

/** The operations that write. */
const MUTATING = ['create', 'acquire', 'fulfil'];

/** With `cells` of the numbers in flight that they name; a ratio whose cells were not measured is left out. */
export function ratios(cells: readonly Cell[], idle: IdlePush, batched: CommitCost[]): Ratio[] {
  const cell = (row: string, transport: string, inFlight: number): Cell | undefined =>
    cells.find((each) => each.row === row && each.transport === transport && each.inFlight === inFlight);
  const all: [string, number | undefined, number | undefined, Ratio['aim']][] = [];
  for (const row of MUTATING) {
    const cpu = (transport: string, of = row) => cell(of, transport, 64)?.serverCpu;
    all.push([
      `server CPU of ${row}, unary ÷ an empty call, 64 in flight`,
      cpu('unary'),
      cpu('bare grpc-js', 'empty call'),
      '≤ 1.4',
    ]);
  }
  for (const row of MUTATING) {
    const speed = (transport: string) => cell(row, transport, 256)?.perSecond;
    all.push([`${row} a second, pipelined ÷ unary, 256 in flight`, speed('pipelined'), speed('unary'), '≥ 4']);
  }
  const total = (costs: readonly CommitCost[], each: (cost: CommitCost) => number) =>
    costs.reduce((sum, cost) => sum + each(cost), 0);
  const livesAlone = 1 / total(batched, ({ alone }) => 1 / alone);
  const livesOfHandlers = 1 / total(batched, ({ handlers }) => 1 / handlers);
  all.push(
    [
      'whole lives a second, pipelined, 256 in flight ÷ LMDB alone',
      cell('whole life', 'pipelined', 256)?.perSecond,
      livesAlone,
      '≥ 0.5',
    ],
    ['whole lives a second, the store under the handlers ÷ LMDB alone', livesOfHandlers, livesAlone, '≥ 0.6'],
  );
  const commitAndEcho = idle.commit + idle.echo;
  for (const transport of ['unary', 'pipelined'] as const) {
    all.push([
      `create to push at an idle worker, ${transport} ÷ one commit and one message there and back`,
      idle[transport],
      commitAndEcho,
      '≤ 1.5',
    ]);
  }
  return all.flatMap(([name, value, floor, aim]) =>
    value === undefined || floor === undefined ? [] : [{ name, value: value / floor, aim }],
  );
}

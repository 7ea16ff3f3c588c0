/** `npm run bench`: what an operation costs, beside what it cannot cost less than, in the same run. */
import { cpus, release } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { bench, type Cell } from './bench.js';
import { commitPath } from './commit-path.js';
import { pageSync } from './disk.js';
import { ratios } from './ratios.js';

/** As many operations share a transaction when the commit path is measured. */
const BATCH = 64;
const PAGE_SYNCS = 500;

const HEAD = [
  'operation',
  'over',
  'in flight',
  'a second',
  'p50 µs',
  'p99 µs',
  'p99.9 µs',
  'server CPU µs',
  'client CPU µs',
  'bytes written',
  'CPU ÷ empty call',
];

const COMMIT_HEAD = ['operation', 'handlers µs', 'LMDB alone µs', 'rows', 'bytes', 'share of LMDB alone'];

function positive(text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
}

function whole(text: string): number {
  const number = positive(text);
  if (!Number.isSafeInteger(number)) throw new InvalidArgumentError('It must be a whole number.');
  return number;
}

const command = new Command('bench')
  .description(
    'Measures a server on a temporary directory, fully durable, and an empty call on bare grpc-js beside it.',
  )
  .option(
    '--in-flight <numbers>',
    'how many calls are under way',
    (text) => text.split(',').map(whole),
    [1, 16, 64, 256],
  )
  .option('--seconds <seconds>', 'how long each cell is measured', positive, 2)
  .option('--lives <lives>', 'how many tasks the commit path is measured with', whole, 20_000)
  .parse();
const options = command.opts<{ inFlight: number[]; seconds: number; lives: number }>();

function print(cells: readonly string[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function table(title: string, head: readonly string[]): void {
  process.stdout.write(`\n${title}\n\n`);
  print(head);
  print(head.map(() => '---'));
}

const { model } = cpus()[0] ?? { model: 'unknown' };
process.stdout.write(`${cpus().length} cores (${model}), Node ${process.version}, kernel ${release()}\n`);

table('The server, a temporary directory, fully durable:', HEAD);
const cells: Cell[] = [];
let floor: Cell | undefined;
const idle = await bench(options, (cell) => {
  cells.push(cell);
  if (cell.transport === 'bare grpc-js') floor = cell;
  const { row, transport, inFlight, perSecond, p50, p99, p999, serverCpu, clientCpu, bytes } = cell;
  const figures = [inFlight, perSecond, p50, p99, p999, serverCpu, clientCpu, bytes].map((figure) => figure.toFixed(0));
  print([row, transport, ...figures, (serverCpu / (floor?.serverCpu ?? NaN)).toFixed(2)]);
});

table(
  `The store under the handlers, and LMDB alone with the same rows, ${BATCH} operations a transaction:`,
  COMMIT_HEAD,
);
const batched = commitPath({ warmUp: options.lives / 2, lives: options.lives, batch: BATCH });
for (const { operation, handlers, alone, rows, bytes } of batched) {
  const figures = [1e6 / handlers, 1e6 / alone, rows, bytes].map((figure) => figure.toFixed(1));
  print([operation, ...figures, (handlers / alone).toFixed(2)]);
}

table('One at a time, nothing else to do:', ['what', 'p50 µs']);
print(['a page written and synced (fdatasync)', pageSync(PAGE_SYNCS).toFixed(0)]);
print(['the rows of a create committed by LMDB alone', idle.commit.toFixed(0)]);
print(['a message on an open stream of bare grpc-js, and its echo', idle.echo.toFixed(0)]);
print(['from a create to its push at an idle worker, unary', idle.unary.toFixed(0)]);
print(['from a create to its push at an idle worker, pipelined', idle.pipelined.toFixed(0)]);

table('Ratios:', ['what', 'measured', 'aimed at']);
for (const { name, value, aim } of ratios(cells, idle, batched)) print([name, value.toFixed(2), aim]);
process.exit(0);

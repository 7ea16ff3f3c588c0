/** `npm run bench`: what an operation costs, beside an empty call on a bare grpc-js server in the same run. */
import { cpus, release } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { bench, type Cell } from './bench.js';
import { BATCH, commitPath } from './commit-path.js';

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

const { model } = cpus()[0] ?? { model: 'unknown' };
process.stdout.write(`${cpus().length} cores (${model}), Node ${process.version}, kernel ${release()}\n\n`);
print(HEAD);
print(HEAD.map(() => '---'));
let floor: Cell | undefined;
await bench(options, (cell) => {
  if (cell.row === 'empty call') floor = cell;
  const { row, transport, inFlight, perSecond, p50, p99, p999, serverCpu, clientCpu, bytes } = cell;
  const figures = [inFlight, perSecond, p50, p99, p999, serverCpu, clientCpu, bytes].map((figure) => figure.toFixed(0));
  print([row, transport, ...figures, (serverCpu / (floor?.serverCpu ?? NaN)).toFixed(2)]);
});

process.stdout.write(
  `\nThe store under the handlers, and LMDB alone with the same rows, ${BATCH} operations a transaction:\n\n`,
);
print(COMMIT_HEAD);
print(COMMIT_HEAD.map(() => '---'));
for (const { operation, handlers, alone, rows, bytes } of commitPath({
  warmUp: options.lives / 2,
  lives: options.lives,
})) {
  const figures = [1e6 / handlers, 1e6 / alone, rows, bytes].map((figure) => figure.toFixed(1));
  print([operation, ...figures, (handlers / alone).toFixed(2)]);
}
process.exit(0);

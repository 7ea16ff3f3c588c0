/** A worker that counts the words of a text, each line in a task of its own. */
import { unwrap, Worker, type TaskContext } from 'resonate-grpc/client';

const GROUP = 'examples';
const [address = 'localhost:50051'] = process.argv.slice(2);

/** Called again, from its start, when a line has been counted: it finds its children by their ids. */
async function countText(context: TaskContext): Promise<number> {
  const { lines } = context.param as { lines: string[] };
  const { id } = context.promise;
  const children = await Promise.all(
    lines.map((line, i) => context.create({ id: `${id}.${i}`, target: `any@${GROUP}`, param: { line } })),
  );
  const counts = await context.awaitAll(children);
  return counts.map(unwrap).reduce((sum: number, count) => sum + (count as number), 0);
}

function countLine(context: TaskContext): number {
  const { line } = context.param as { line: string };
  console.log(`counting ${JSON.stringify(line)}`);
  return line.split(/\s+/).filter(Boolean).length;
}

const worker = new Worker({
  address,
  group: GROUP,
  handler: (context) => ('lines' in (context.param as object) ? countText(context) : countLine(context)),
});
worker.drainOnSignals();
await worker.start();
console.log(`working for ${GROUP}; stop with Ctrl-C`);
await worker.done;

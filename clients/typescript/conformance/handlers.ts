/** What the tag `conformance:do` of a promise has its handler do: see test/conformance/README.md. */
import { setTimeout as pause } from 'node:timers/promises';
import { isSettled, Reject, type Handler, type PromiseRecord, type TaskContext, type Value } from '../index.js';

const GO_INTERVAL_MS = 50;

/** One for each tag. `pid` is the worker's own. */
export function handlers(pid: string): ReadonlyMap<string, Handler> {
  return new Map<string, Handler>([
    ['echo', ({ promise }) => promise.param ?? dataOf(undefined)],
    ['tags', ({ promise }) => dataOf(linesOf(promise.tags))],
    [
      'reject',
      () => {
        throw new Reject(dataOf('no'));
      },
    ],
    ['fail', fail],
    ['fan-out', fanOut],
    ['sleep', sleep],
    ['settle', settle],
    ['hold', (context) => hold(context, pid)],
  ]);
}

function fail({ task }: TaskContext): Value {
  if (task.version === 1) throw new Error('the first attempt fails');
  return dataOf(`version ${task.version}`);
}

async function fanOut(context: TaskContext): Promise<Value> {
  const work = textOf(context.promise.param).split('\n');
  const children = await Promise.all(
    work.map((line) => {
      const [id, target] = line.split(' ') as [string, string];
      return context.create({ id, target, tags: { 'conformance:do': 'echo' }, param: dataOf(id) });
    }),
  );
  const settled = await context.awaitAll(children);
  return dataOf(settled.map(({ value }) => textOf(value)).join('\n'));
}

async function sleep(context: TaskContext): Promise<Value> {
  const { id, createdAtMs, param } = context.promise;
  await context.sleep(`${id}.timer`, createdAtMs + Number(textOf(param)));
  return dataOf('slept');
}

async function settle(context: TaskContext): Promise<Value> {
  const { id, param } = context.promise;
  const { value } = await context.settle({ id: textOf(param), value: dataOf(id) });
  return dataOf(textOf(value));
}

async function hold(context: TaskContext, pid: string): Promise<Value> {
  const go = (): Promise<PromiseRecord> => context.get(`${context.promise.id}.go`);
  while (!isSettled(await go())) await pause(GO_INTERVAL_MS, undefined, { signal: context.signal });
  return dataOf(`held by ${pid}`);
}

/** `key=value`, one a line, by the bytes of the keys. */
function linesOf(tags: ReadonlyMap<string, string>): string {
  return [...tags]
    .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, value]) => `${key}=${value}`)
    .join('\n');
}

function dataOf(text: string | undefined): Value {
  return { headers: new Map(), data: text === undefined ? undefined : Buffer.from(text) };
}

function textOf(value: Value | undefined): string {
  return Buffer.from(value?.data ?? []).toString();
}

import { expect } from 'chai';
import fc from 'fast-check';
import type { TaskObject } from '../../src/protocol/objects.js';
import type { Change } from '../../src/store/store.js';
import { FakeStream, Harness, RETRY_TIMEOUT, type Client } from './harness.js';

const PIDS = ['p0', 'p1', 'p2'];
const TASKS = ['t0', 't1', 't2', 't3', 't4', 't5'];
const TARGETS = ['any@g', 'any@g', 'any@g/p0', 'uni@g/p1', 'any@h'];

interface Member extends Client {
  readonly group: string;
  readonly maxInFlight: number;
  isDraining: boolean;
  onProbation: boolean;
}

/**
 * Credits counted the slow way: from the pushes that the streams saw, the committed changes and the store, on every step
 * from scratch.
 */
class Recount {
  readonly h = new Harness({ pageSize: 2, sliceSize: 3 });
  members: Member[] = [];
  /** The last push of each task that still counts. */
  pushes = new Map<string, { member: Member; at: number }>();

  constructor() {
    this.h.engine.onCommit((changes) => changes.forEach((change) => this.#onChange(change)));
  }

  /** The holder of each acquired task: a task that is set again under the same one, by a heartbeat, is not acquired anew. */
  readonly #holders = new Map<string, string>();

  #onChange(change: Change): void {
    if (change.kind === 'task') this.#onTask(change.task);
    // Sent anew: what was pushed before is void.
    if (change.kind === 'execute') this.pushes.delete(change.row.taskId);
  }

  #onTask({ id, state, pid }: TaskObject): void {
    const holder = this.#holders.get(id);
    if (pid === undefined) this.#holders.delete(id);
    else this.#holders.set(id, pid);
    // A task that leaves pending takes its push with it.
    if (state !== 'pending') this.pushes.delete(id);
    if (pid === undefined || pid === holder) return;
    for (const member of this.members) if (member.pid === pid) member.onProbation = false;
  }

  open(pid: string, group: string, maxInFlight: number): void {
    const old = this.members.find((member) => member.pid === pid && member.group === group);
    if (old !== undefined) this.forget(old);
    const client = this.h.open(pid, { group, maxInFlight });
    const member: Member = { ...client, group, maxInFlight, isDraining: false, onProbation: false };
    this.members.push(member);
    const send = FakeStream.prototype.send.bind(client.stream);
    client.stream.send = (events, written) => {
      for (const event of events) if (event.kind === 'execute') this.#onPush(event.taskId, event.version, member);
      send(events, written);
    };
  }

  #onPush(taskId: string, version: number, member: Member): void {
    const task = this.h.task(taskId);
    expect(task, 'what is pushed').to.include({ state: 'pending', version });
    expect(this.pushes.has(taskId), `${taskId} pushed while it is pushed`).to.equal(false);
    expect(this.room(member), `room for ${taskId}`).to.be.greaterThan(0);
    const row = this.h.store.snapshot().executes.find((it) => it.taskId === taskId);
    expect(fits(row?.address ?? '', member), `${row?.address} at ${member.group}/${member.pid}`).to.equal(true);
    this.pushes.set(taskId, { member, at: this.h.timers.now });
  }

  forget(member: Member): void {
    this.members = this.members.filter((it) => it !== member);
    this.giveBack(member);
  }

  giveBack(member: Member): void {
    for (const [id, push] of this.pushes) if (push.member === member) this.pushes.delete(id);
  }

  held(pid: string): number {
    return this.h.store.snapshot().tasks.filter(({ task }) => task.state === 'acquired' && task.pid === pid).length;
  }

  pushed(member: Member): number {
    return [...this.pushes.values()].filter((push) => push.member === member).length;
  }

  room(member: Member): number {
    if (member.isDraining) return 0;
    const pushed = this.pushed(member);
    const free = member.maxInFlight - pushed - this.held(member.pid);
    return member.onProbation ? Math.min(free, 1 - pushed) : free;
  }

  async advance(ms: number): Promise<void> {
    const until = this.h.timers.now + ms;
    for (;;) {
      const due = [...this.pushes]
        .map(([id, { at }]) => ({ id, at: at + RETRY_TIMEOUT }))
        .filter(({ at }) => at <= until);
      if (due.length === 0) break;
      const first = Math.min(...due.map(({ at }) => at));
      // Whatever expires at one instant expires together.
      for (const { id, at } of due) {
        const push = this.pushes.get(id);
        if (at !== first || push === undefined) continue;
        push.member.onProbation = true;
        this.pushes.delete(id);
      }
      await this.h.advance(first - this.h.timers.now);
    }
    await this.h.advance(until - this.h.timers.now);
  }

  check(): void {
    for (const member of this.members) {
      const info = this.h.info(member);
      expect(info, `${member.group}/${member.pid}`).to.include({
        pushed: this.pushed(member),
        held: this.held(member.pid),
        onProbation: member.onProbation,
      });
    }
    expect(this.h.dispatcher.sessions()).to.have.length(this.members.length);
    // Nothing waits while somebody could take it.
    for (const row of this.h.store.snapshot().executes) {
      if (this.pushes.has(row.taskId)) continue;
      const idle = this.members.filter((member) => fits(row.address, member) && this.room(member) > 0);
      expect(idle, `${row.taskId} to ${row.address} waits for nothing`).to.have.length(0);
    }
    expect(this.h.logged).to.deep.equal([]);
  }
}

function fits(address: string, { group, pid }: Member): boolean {
  return address === `any@${group}` || address.startsWith(`any@${group}/`) || address === `uni@${group}/${pid}`;
}

function pick<T>(list: readonly T[], at: number): T {
  return list[at % list.length] as T;
}

/** Acts on what there is; an act that nothing fits does nothing. */
const ACTS: Record<string, (it: Recount, x: number, y: number) => void | Promise<void>> = {
  open: (it, x, y) => it.open(pick(PIDS, x), x > 40 ? 'h' : 'g', y % 4),
  cut: (it, x) => {
    const member = pick(it.members, x);
    if (member === undefined) return;
    it.forget(member);
    member.stream.cut();
  },
  drain: (it, x) => {
    const member = pick(it.members, x);
    if (member === undefined) return;
    it.giveBack(member);
    member.isDraining = true;
    it.h.dispatcher.drain(member.session.id);
  },
  create: (it, x, y) => it.h.create(pick(TASKS, x), pick(TARGETS, y)),
  acquire: (it, x, y) => withTask(it, x, (id) => void it.h.acquire(id, pick(PIDS, y), 8_000)),
  acquirePushed: (it, x) => {
    const [id, push] = pick([...it.pushes], x) ?? [];
    if (id !== undefined && push !== undefined) it.h.acquire(id, push.member.pid, 8_000);
  },
  create2: (it, x, y) => {
    const promise = { id: pick(TASKS, x), timeoutAt: 1e12, param: { headers: new Map() }, tags: new Map() };
    it.h.engine.run('task.create', { pid: pick(PIDS, y), ttl: 8_000, promise });
  },
  fulfill: (it, x) => withTask(it, x, (id) => void it.h.fulfill(id)),
  release: (it, x) => withTask(it, x, (id) => void it.h.release(id)),
  settle: (it, x) => it.h.resolve(pick(TASKS, x)),
  halt: (it, x) => void it.h.engine.run('task.halt', { id: pick(TASKS, x) }),
  continue: (it, x) => void it.h.engine.run('task.continue', { id: pick(TASKS, x) }),
  suspend: (it, x, y) =>
    withTask(it, x, (id) => {
      const { version } = it.h.task(id);
      const awaited = pick(TASKS, y);
      if (awaited !== id) it.h.engine.run('task.suspend', { id, version, awaitedIds: [awaited] });
    }),
  retryByHand: (it, x) => it.h.engine.retryTasks([pick(TASKS, x)]),
  advance: (it, x) => it.advance(x * 200),
  leases: (it) => it.h.engine.fireDue(),
  reload: (it) => {
    it.pushes.clear();
    it.h.dispatcher.reload();
  },
};

function withTask(it: Recount, x: number, act: (id: string) => void): void {
  const id = pick(TASKS, x);
  if (it.h.store.read((tx) => tx.getTask(id)) !== undefined) act(id);
}

describe('dispatch: credits, recounted', () => {
  it('are what the store and the streams say, and none lies idle while work waits', async () => {
    const act = fc.record({ name: fc.constantFrom(...Object.keys(ACTS)), x: fc.nat(50), y: fc.nat(50) });
    const runs = fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 80 }), async (script) => {
      const it = new Recount();
      for (const { name, x, y } of script) {
        await ACTS[name]?.(it, x, y);
        await it.h.settle();
        it.check();
      }
      // Once everybody has gone, nothing is left.
      for (const { stream } of it.members) stream.cut();
      expect(it.h.dispatcher.loadedRows()).to.deep.equal({ executes: 0, unblocks: 0 });
    });
    await fc.assert(runs, { numRuns: 300 });
  });
});

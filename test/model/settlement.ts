/** Settling a promise and resuming those who wait for it, from `P-03-promise.settle.lean` and `00-resume.lean`. */
import {
  delPromiseTimeout,
  delTaskTimeout,
  getPromise,
  getTask,
  plus,
  RETRY_TIMEOUT,
  sendExecute,
  sendUnblock,
  setPromise,
  setTask,
  setTaskTimeout,
  withdrawExecute,
  type Machine,
  type PromiseObject,
  type PromiseState,
  type Value,
} from './state.js';

/** SPEC "Settling a promise", in its order. Shared by P-03, T-07 and the promise timeout. */
export function settlePromise(
  m: Machine,
  pending: PromiseObject,
  state: PromiseState,
  value: Value,
  settledAt: number,
  now: number,
): PromiseObject {
  // 1
  const { listeners, callbacks } = pending;
  const p: PromiseObject = { ...pending, state, value, settledAt, callbacks: [], listeners: [] };
  setPromise(m, p);
  delPromiseTimeout(m, p.id);
  // 2
  const t = getTask(m, p.id);
  if (t !== undefined) {
    setTask(m, { id: t.id, state: 'fulfilled', version: t.version, resumes: [] });
    delTaskTimeout(m, t.id);
    withdrawExecute(m, t.id);
  }
  // 3
  for (const q of m.state.promises) {
    if (q.state === 'pending' && q.callbacks.includes(p.id)) {
      setPromise(m, { ...q, callbacks: q.callbacks.filter((id) => id !== p.id) });
    }
  }
  // 4
  for (const address of listeners) sendUnblock(m, p, address, now);
  // 5
  for (const awaiterId of callbacks) enqueueResume(m, p.id, awaiterId, now);
  return p;
}

/** SPEC "Resume". */
function enqueueResume(m: Machine, awaitedId: string, awaiterId: string, now: number): void {
  const t = getTask(m, awaiterId);
  if (t === undefined) return;
  switch (t.state) {
    case 'suspended': {
      setTask(m, { ...t, state: 'pending', resumes: [awaitedId] });
      setTaskTimeout(m, t.id, 'retry', plus(now, RETRY_TIMEOUT));
      const p = getPromise(m, awaiterId);
      if (p !== undefined) sendExecute(m, t, p, now);
      return;
    }
    case 'pending':
    case 'acquired':
    case 'halted':
      if (!t.resumes.includes(awaitedId)) setTask(m, { ...t, resumes: [...t.resumes, awaitedId] });
      return;
    case 'fulfilled':
      return;
  }
}

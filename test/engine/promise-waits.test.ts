import { expect } from 'chai';
import { PromiseWaits } from '../../src/engine/promise-waits.js';
import type { EngineError } from '../../src/engine/engine.js';
import type { PromiseOutcome } from '../../src/protocol/outcome.js';
import { batchRun, EngineFixture, FAR, START } from './fixture.js';

describe('a wait for a promise', () => {
  let engine: EngineFixture;
  let waits: PromiseWaits;

  beforeEach(() => {
    engine = new EngineFixture();
    waits = new PromiseWaits(engine.writer, engine.timers);
  });

  /** Waits, and says how far it has come: without an answer it is still waiting. */
  function wait(id: string, signal = new AbortController().signal) {
    const ending: { answer?: PromiseOutcome; error?: EngineError } = {};
    waits.wait(id, signal).then(
      (answer) => (ending.answer = answer),
      (error: unknown) => (ending.error = error as EngineError),
    );
    return ending;
  }

  function settle(id: string) {
    return engine.submit('promise.settle', { id, state: 'resolved', value: { headers: new Map() } });
  }

  it('answers when the promise settles, and not when another does', async () => {
    await engine.create('p');
    await engine.create('other');
    const ending = wait('p');
    await settle('other');
    await batchRun();
    expect(ending).to.deep.equal({});
    await settle('p');
    await batchRun();
    expect(ending.answer).to.have.nested.property('promise.state', 'resolved');
  });

  it('sees a settlement that is committed while it looks', async () => {
    await engine.create('p');
    const submit = engine.writer.submit.bind(engine.writer);
    engine.writer.submit = async (...args) => {
      const outcome = await submit(...args);
      engine.writer.submit = submit;
      await settle('p');
      return outcome;
    };
    const ending = wait('p');
    await batchRun();
    await batchRun();
    expect(ending.answer).to.have.nested.property('promise.state', 'resolved');
  });

  it('answers at the deadline, though nothing is armed', async () => {
    await engine.create('p', START + 1_000);
    const ending = wait('p');
    await engine.pass(999);
    expect(ending).to.deep.equal({});
    await engine.pass(1);
    await batchRun();
    expect(ending.answer).to.have.nested.property('promise.state', 'rejected_timedout');
  });

  it('answers at once with a refusal', async () => {
    const ending = wait('absent');
    await batchRun();
    expect(ending.answer).to.have.property('status', 404);
  });

  it('ends when the call ends, or the server stops, and leaves no timer', async () => {
    await engine.create('p', FAR);
    const before = engine.timers.size;
    const call = new AbortController();
    const [aborted, stopped] = [wait('p', call.signal), wait('p')];
    await batchRun();
    call.abort();
    await batchRun();
    expect(aborted.error?.kind).to.equal('cancelled');
    expect(stopped).to.deep.equal({});
    waits.close();
    await batchRun();
    expect(stopped.error?.kind).to.equal('draining');
    expect(engine.timers.size).to.equal(before);
  });
});

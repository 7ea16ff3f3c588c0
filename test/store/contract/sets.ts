/** Callbacks, listeners and resumes. */
import { expect } from 'chai';
import { plain } from '../plain.js';
import { LONG, pendingPromise, pendingTask } from '../samples.js';
import type { Given } from './given.js';

export function describeSets(given: Given): void {
  describe('callbacks', () => {
    beforeEach(() => {
      given.write((tx) => {
        for (const id of ['x', 'y', 'a', 'ab', 'b', LONG]) tx.setPromise(pendingPromise(id));
      });
    });

    it('are a set in order of registration', () => {
      given.write((tx) => {
        for (const awaiter of ['b', LONG, 'a', 'b', 'ab']) tx.addCallback('x', awaiter);
      });
      expect(callbacksOf('x')).to.deep.equal(['b', LONG, 'a', 'ab']);
      expect(callbacksOf('y')).to.deep.equal([]);
      expect(given.write((tx) => tx.takeCallbacks('x'))).to.deep.equal(['b', LONG, 'a', 'ab']);
    });

    it('stay in order when the awaited promise is set between registrations', () => {
      given.write((tx) => tx.addCallback('x', 'b'));
      given.write((tx) => {
        const before = tx.getPromise('x');
        tx.addCallback('x', 'a');
        tx.setPromise({ ...pendingPromise('x'), ...before, timeoutArmed: true });
        tx.addCallback('x', 'ab');
      });
      given.write((tx) => tx.setPromise(pendingPromise('x', { createdAt: 9 })));
      given.write((tx) => tx.addCallback('x', LONG));
      expect(given.write((tx) => tx.takeCallbacks('x'))).to.deep.equal(['b', 'a', 'ab', LONG]);
    });

    it('are gone once taken, from the awaiter too', () => {
      given.write((tx) => {
        tx.addCallback('x', 'a');
        tx.addCallback('y', 'a');
      });
      given.write((tx) => {
        expect(tx.takeCallbacks('x')).to.deep.equal(['a']);
        expect(tx.takeCallbacks('x')).to.deep.equal([]);
      });
      expect(callbacksOf('x')).to.deep.equal([]);
      expect(callbacksOf('y')).to.deep.equal(['a']);
      given.write((tx) => {
        tx.addCallback('x', 'b');
        tx.addCallback('x', 'a');
      });
      expect(callbacksOf('x'), 'registered anew').to.deep.equal(['b', 'a']);
      given.write((tx) => tx.dropCallbacksOf('a'));
      expect(callbacksOf('x')).to.deep.equal(['b']);
      expect(callbacksOf('y')).to.deep.equal([]);
    });

    it('of one awaiter are dropped from every promise, and only its own', () => {
      given.write((tx) => {
        for (const awaited of ['x', 'y', 'a']) for (const awaiter of ['ab', 'a', 'b']) tx.addCallback(awaited, awaiter);
      });
      given.write((tx) => tx.dropCallbacksOf('a'));
      for (const awaited of ['x', 'y', 'a']) expect(callbacksOf(awaited)).to.deep.equal(['ab', 'b']);
      given.write((tx) => {
        tx.dropCallbacksOf('a');
        tx.dropCallbacksOf('x');
        tx.dropCallbacksOf('never was');
      });
      expect(given.write((tx) => tx.takeCallbacks('x'))).to.deep.equal(['ab', 'b']);
      given.write((tx) => tx.addCallback('y', 'a'));
      expect(callbacksOf('y'), 'a dropped one comes back at the end').to.deep.equal(['ab', 'b', 'a']);
    });

    it('are seen by the transaction that registers them', () => {
      given.write((tx) => {
        tx.addCallback('x', 'a');
        tx.addCallback('x', 'b');
        tx.dropCallbacksOf('a');
        expect(tx.takeCallbacks('x')).to.deep.equal(['b']);
      });
      expect(callbacksOf('x')).to.deep.equal([]);
    });

    it('show each awaiter as it is, in the transaction that takes them', () => {
      given.write((tx) => {
        tx.setTask(pendingTask('a', { version: 1 }));
        tx.setTask(pendingTask('b', { version: 1 }));
        for (const awaiter of ['a', 'b']) for (const awaited of ['x', 'y']) tx.addCallback(awaited, awaiter);
      });
      given.write((tx) => {
        tx.setTask(pendingTask('a', { version: 2 }));
        tx.setTask(pendingTask('new'));
        tx.setPromise(pendingPromise('new'));
        tx.addCallback('x', 'new');
        expect(tx.takeCallbacks('x')).to.deep.equal(['a', 'b', 'new']);
        expect(['a', 'b', 'new'].map((id) => tx.getTask(id)?.version)).to.deep.equal([2, 1, 0]);
        tx.setTask(pendingTask('b', { version: 3 }));
        expect(tx.takeCallbacks('y')).to.deep.equal(['a', 'b']);
        expect(['a', 'b'].map((id) => tx.getTask(id)?.version)).to.deep.equal([2, 3]);
      });
      expect(given.read((tx) => ['a', 'b', 'new'].map((id) => tx.getTask(id)?.version))).to.deep.equal([2, 3, 0]);
    });

    it('hold pairs of the longest ids', () => {
      given.write((tx) => tx.addCallback(LONG, LONG));
      expect(callbacksOf(LONG)).to.deep.equal([LONG]);
      given.write((tx) => tx.dropCallbacksOf(LONG));
      expect(callbacksOf(LONG)).to.deep.equal([]);
    });

    function callbacksOf(id: string): readonly string[] | undefined {
      return given.store.snapshot().promises.find(({ promise }) => promise.id === id)?.callbacks;
    }
  });

  describe('listeners', () => {
    beforeEach(() => {
      given.write((tx) => {
        for (const id of ['x', 'y', LONG]) tx.setPromise(pendingPromise(id));
      });
    });

    it('are a set in order of registration, gone once taken, and no callbacks', () => {
      given.write((tx) => {
        for (const address of ['b', LONG, 'y', 'b', 'any@g/1']) tx.addListener('x', address);
        tx.addListener('y', 'b');
      });
      given.write((tx) => tx.addCallback('x', 'y'));
      given.write((tx) => tx.dropCallbacksOf('b'));
      expect(listenersOf('x')).to.deep.equal(['b', LONG, 'y', 'any@g/1']);
      given.write((tx) => {
        expect(tx.takeListeners('x')).to.deep.equal(['b', LONG, 'y', 'any@g/1']);
        expect(tx.takeListeners('x')).to.deep.equal([]);
        expect(tx.takeCallbacks('x')).to.deep.equal(['y']);
      });
      expect(listenersOf('x')).to.deep.equal([]);
      expect(listenersOf('y')).to.deep.equal(['b']);
    });

    it('stay in order when the promise is set between registrations', () => {
      given.write((tx) => tx.addListener('x', 'b'));
      given.write((tx) => {
        tx.setPromise(pendingPromise('x', { timeoutArmed: true }));
        tx.addListener('x', 'a');
      });
      expect(given.write((tx) => tx.takeListeners('x'))).to.deep.equal(['b', 'a']);
    });

    it('may be as long as an address may be', () => {
      given.write((tx) => tx.addListener(LONG, LONG));
      expect(given.write((tx) => tx.takeListeners(LONG))).to.deep.equal([LONG]);
    });

    function listenersOf(id: string): readonly string[] | undefined {
      return given.store.snapshot().promises.find(({ promise }) => promise.id === id)?.listeners;
    }
  });

  describe('resumes', () => {
    beforeEach(() => {
      given.write((tx) => {
        for (const id of ['t', 'u', LONG]) tx.setTask(pendingTask(id));
      });
    });

    it('are a set in order of arrival, and say whether they were new', () => {
      given.write((tx) => {
        expect(tx.addResume('t', 'b')).to.equal(true);
        expect(tx.addResume('t', 'a')).to.equal(true);
        expect(tx.addResume('t', 'b')).to.equal(false);
        expect(tx.addResume('u', 'b')).to.equal(true);
      });
      expect(given.write((tx) => tx.addResume('t', 'a'))).to.equal(false);
      expect(given.write((tx) => tx.addResume('t', 'c'))).to.equal(true);
      expect(resumesOf('t')).to.deep.equal(['b', 'a', 'c']);
      expect(resumesOf('u')).to.deep.equal(['b']);
    });

    it('stay when the task is set, and go when they are cleared', () => {
      given.write((tx) => {
        tx.addResume('t', 'b');
        tx.setTask(pendingTask('t', { resumes: 1 }));
        tx.addResume('t', 'a');
        tx.setTask(pendingTask('t', { resumes: 2 }));
        tx.addResume('u', 'a');
      });
      expect(resumesOf('t')).to.deep.equal(['b', 'a']);
      given.write((tx) => {
        tx.clearResumes('t');
        expect(tx.addResume('t', 'b')).to.equal(true);
        tx.clearResumes('t');
        tx.clearResumes('never was');
      });
      expect(resumesOf('t')).to.deep.equal([]);
      expect(resumesOf('u')).to.deep.equal(['a']);
    });

    it('of an id that is absent are not those of another', () => {
      given.write((tx) => {
        tx.setPromise(pendingPromise('t'));
        tx.addCallback('t', 't');
        tx.addListener('t', 'g');
        tx.addResume('t', 't');
      });
      const before = plain(given.store.snapshot());
      given.write((tx) => {
        expect(tx.takeCallbacks('absent')).to.deep.equal([]);
        expect(tx.takeListeners('absent')).to.deep.equal([]);
        tx.dropCallbacksOf('absent');
        tx.clearResumes('absent');
      });
      expect(plain(given.store.snapshot())).to.deep.equal(before);
    });

    it('hold pairs of the longest ids', () => {
      given.write((tx) => tx.addResume(LONG, LONG));
      expect(resumesOf(LONG)).to.deep.equal([LONG]);
    });

    function resumesOf(id: string): readonly string[] | undefined {
      return given.store.snapshot().tasks.find(({ task }) => task.id === id)?.resumes;
    }
  });
}

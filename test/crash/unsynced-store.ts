/** For `node --import`: the server's store is opened with `noSync`. So the crash tests show that they find a store that loses writes. */
import { register, type LoadHook } from 'node:module';
import { isMainThread } from 'node:worker_threads';

const OPTION = 'overlappingSync: false';

// The hook runs in a thread of its own, which loads this module once more.
if (isMainThread) register(import.meta.url);

export const load: LoadHook = async (url, context, nextLoad) => {
  const loaded = await nextLoad(url, context);
  if (!url.endsWith('/store/lmdb/store.js')) return loaded;
  const source = Buffer.from(loaded.source as Uint8Array).toString();
  if (!source.includes(OPTION)) throw new Error(`${url} has no ${OPTION} to replace`);
  return { ...loaded, source: source.replace(OPTION, 'noSync: true') };
};

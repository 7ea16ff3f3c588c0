/** A caller that creates work, and hears of its outcome through an unblock. */
import { encodeJson, ResonateClient, UnblockListener, unwrap } from 'resonate-grpc/client';

const [address = 'localhost:50051'] = process.argv.slice(2);
const client = new ResonateClient({ address });
const listener = new UnblockListener({ client, group: 'example-callers' });
listener.start();

const id = `count-${Date.now()}`;
const lines = ['Whatever befalls a worker', 'or its server,', 'the words are counted'];
await client.promiseCreate({
  promise: {
    id,
    timeoutAtMs: Date.now() + 600_000,
    param: encodeJson({ lines }),
    tags: new Map([['resonate:target', 'any@examples']]),
  },
});
console.log(`created ${id}`);
console.log(`${String(unwrap(await listener.listen(id)))} words`);

await listener.stop();
client.close();

/** `npm run fuzz -- [--seed N] [--runs M] [--rpc NAME] [--bytes HEX]`: hostile bytes, longer than the tests send them. */
import { Command, InvalidArgumentError, Option } from 'commander';
import { FuzzedServer } from './fuzz.js';
import { METHODS } from './methods.js';

interface Flags {
  readonly seed: number;
  readonly runs: number;
  readonly rpc?: string;
  readonly bytes?: Buffer;
}

const flags = new Command('fuzz')
  .option('--seed <number>', 'what is sent, and in which order', natural, Date.now() % 1_000_000_000)
  .option('--runs <number>', 'how many requests of each rpc', natural, 2_000)
  .addOption(new Option('--rpc <name>', 'this one only').choices(METHODS.map(({ name }) => name)))
  .option('--bytes <hex>', 'this one request only', (text: string) => Buffer.from(text, 'hex'))
  .parse()
  .opts<Flags>();

function natural(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('not a natural number');
  return Number(text);
}

const { seed, runs, rpc, bytes } = flags;
if (bytes === undefined) console.log(`seed ${seed}, ${runs} requests of each rpc`);
for (const method of METHODS.filter(({ name }) => rpc === undefined || name === rpc)) {
  const fuzzed = await FuzzedServer.start();
  try {
    if (bytes === undefined) await fuzzed.fuzz(method, { seed, runs });
    else await fuzzed.send(method, bytes);
    const answers = [...fuzzed.answers].map(([answer, count]) => `${answer} ${count}`).join(', ');
    console.log(`${method.name}: ${answers}`);
  } catch (error) {
    console.log(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } finally {
    await fuzzed.end();
  }
}

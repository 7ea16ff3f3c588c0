/** The command line and the environment: a mistake is one clear line, and not a server that does something else. */
import { expect } from 'chai';
import { once } from 'node:events';
import type { DispatchResponse } from '../../clients/typescript/gen/resonate_grpc/v1/dispatch.js';
import { ResonateClient } from '../../clients/typescript/index.js';
import { removeDirectory, runToEnd, ServerProcess, temporaryDirectory } from '../support/server-process.js';
import { expectOneLine } from './failures.js';

const FLAGS = [
  ...['host', 'port', 'data', 'insecure', 'max-request-bytes', 'max-in-flight', 'retry-timeout-ms'],
  ...['unblock-retention-ms', 'ping-interval-ms', 'drain-ms', 'log-level', 'allow-clock-lead', 'debug'],
];

describe('e2e: flags', () => {
  let data: string;
  beforeEach(() => (data = temporaryDirectory()));
  afterEach(() => removeDirectory(data));

  it('--help names every flag and its environment variable', async () => {
    const { code, stdout, stderr } = await runToEnd(['--help']);
    expect([code, stderr]).to.deep.equal([0, '']);
    const listed = [...stdout.matchAll(/^ +(?:-\w, )?--([a-z-]+)(?:[^-]|-(?!-))*?\(.*?env:\s+(\w+)\s*\)/gms)];
    expect(listed.map(([, flag, variable]) => [flag, variable])).to.deep.equal(
      FLAGS.map((flag) => [flag, `RESONATE_GRPC_${flag.toUpperCase().replaceAll('-', '_')}`]),
    );
  });

  it('--version prints the version of the package', async () => {
    const { code, stdout } = await runToEnd(['--version']);
    expect(code).to.equal(0);
    expect(stdout).to.match(/^\d+\.\d+\.\d+\n$/);
  });

  const mistakes: readonly (readonly [what: string, args: readonly string[], named: string])[] = [
    ['an unknown flag', ['--colour'], '--colour'],
    ['an unknown flag that is nearly one', ['--prot', '1'], '--prot'],
    ['an argument', ['serve'], 'argument'],
    ['a flag without its value', ['--port'], '--port'],
    ['a port that is no number', ['--port', 'http'], '--port'],
    ['a port out of range', ['--port', '65536'], '65535'],
    ['a negative port', ['--port=-1'], '65535'],
    ['a port that is not whole', ['--port', '1.5'], '--port'],
    ['an empty port', ['--port', ''], '--port'],
    ['a number in hexadecimal', ['--drain-ms', '0x10'], '--drain-ms'],
    ['a limit that lets nothing in', ['--max-request-bytes', '1'], '--max-request-bytes'],
    ['a limit beyond all bounds', ['--max-request-bytes', '99999999999'], '--max-request-bytes'],
    ['in flight without end', ['--max-in-flight', '1e9'], '--max-in-flight'],
    ['no retry timeout', ['--retry-timeout-ms', '0'], '--retry-timeout-ms'],
    ['no retention', ['--unblock-retention-ms', '0'], '--unblock-retention-ms'],
    ['a log level that does not exist', ['--log-level', 'loud'], 'loud'],
    ['a boolean that is none', ['--debug=yes'], '--debug'],
  ];
  for (const [what, args, named] of mistakes)
    it(`refuses ${what}`, async () => expectOneLine(await runToEnd(['--data', data, ...args]), named));

  const variables: readonly (readonly [what: string, env: Readonly<Record<string, string>>, named: string])[] = [
    ['an unknown variable', { RESONATE_GRPC_PROT: '1' }, 'RESONATE_GRPC_PROT'],
    ['a bad number in a variable', { RESONATE_GRPC_PORT: 'http' }, 'RESONATE_GRPC_PORT'],
    ['a bad boolean in a variable', { RESONATE_GRPC_DEBUG: 'yes' }, 'RESONATE_GRPC_DEBUG'],
  ];
  for (const [what, env, named] of variables)
    it(`refuses ${what}`, async () => expectOneLine(await runToEnd(['--data', data], { env }), named));

  it('reads the environment, and the command line goes before it', async () => {
    const env = { RESONATE_GRPC_MAX_IN_FLIGHT: '7', RESONATE_GRPC_MAX_REQUEST_BYTES: '4096', RESONATE_GRPC_PORT: '1' };
    const server = await ServerProcess.start({ data, env, flags: ['--retry-timeout-ms', '1234'] });
    const client = new ResonateClient({ address: server.address });
    const stream = client.dispatch({ group: 'g', pid: 'p' });
    stream.on('error', () => {});
    const [{ events }] = (await once(stream, 'data')) as [DispatchResponse];
    const hello = events[0]?.event;
    if (hello?.$case !== 'hello') throw new Error('hello must come first');
    expect(hello.value.limits).to.deep.equal({ maxInFlight: 7, maxRequestBytes: 4096, retryTimeoutMs: 1234 });
    stream.cancel();
    client.close();
    await server.kill();
  });

  it('takes a boolean from the environment', async () => {
    const env = { RESONATE_GRPC_HOST: '0.0.0.0', RESONATE_GRPC_INSECURE: 'true' };
    const server = await ServerProcess.start({ data, env });
    expect(server.log.at(-1)).to.include({ msg: 'serving', host: '0.0.0.0' });
    await server.kill();
  });

  it('logs one JSON object a line', async () => {
    const server = await ServerProcess.start({ data });
    expect(await server.stop()).to.equal(0);
    for (const entry of server.log) expect(entry).to.include.keys('level', 'time', 'msg');
  });
});

import { createRequire } from 'node:module';
import { Client, credentials, type ClientDuplexStream, type ClientReadableStream } from '@grpc/grpc-js';
import { loadSync, type MethodDefinition, type ServiceDefinition } from '@grpc/proto-loader';
import { expect } from 'chai';
import { protoPath as HEALTH_PROTO } from 'grpc-health-check';
import { Code } from '../../clients/typescript/index.js';
import { removeDirectory, ServerProcess } from '../support/server-process.js';

const SERVICES = ['Promise', 'Task', 'Schedule', 'Dispatch', 'Pipeline'].map(
  (name) => `resonate_grpc.v1.${name}Service`,
);
const DEBUG = 'resonate_grpc.debug.v1.DebugService';
const REFLECTION = ['v1', 'v1alpha'].map((version) => `grpc.reflection.${version}.ServerReflection`);
const HEALTH = 'grpc.health.v1.Health';

/** Of a service that this project did not write: from its own proto file. */
function methodOf(file: string, service: string, name: string): MethodDefinition<object, object> {
  const loaded = loadSync(file, { keepCase: true, enums: String, defaults: true, oneofs: true });
  return (loaded[service] as ServiceDefinition)[name] as MethodDefinition<object, object>;
}

const check = methodOf(HEALTH_PROTO, HEALTH, 'Check');
const watch = methodOf(HEALTH_PROTO, HEALTH, 'Watch');

describe('e2e: reflection and health', () => {
  let server: ServerProcess;
  let client: Client;

  async function start(...flags: string[]): Promise<void> {
    server = await ServerProcess.start({ flags });
    client = new Client(server.address, credentials.createInsecure());
  }

  afterEach(async () => {
    client.close();
    await server.kill();
    removeDirectory(server.data);
  });

  for (const version of ['v1', 'v1alpha']) {
    describe(`reflection ${version}`, () => {
      const file = `@grpc/reflection/build/proto/grpc/reflection/${version}/reflection.proto`;
      const info = methodOf(
        createRequire(import.meta.url).resolve(file),
        `grpc.reflection.${version}.ServerReflection`,
        'ServerReflectionInfo',
      );

      async function ask(request: object): Promise<Record<string, unknown>> {
        const { path, requestSerialize, responseDeserialize } = info;
        const call: ClientDuplexStream<object, object> = client.makeBidiStreamRequest(
          path,
          requestSerialize,
          responseDeserialize,
        );
        call.end(request);
        for await (const response of call) return response as Record<string, unknown>;
        throw new Error('no answer');
      }

      async function services(): Promise<string[]> {
        const { list_services_response: list } = await ask({ list_services: '' });
        return (list as { service: { name: string }[] }).service.map(({ name }) => name).sort();
      }

      it('lists every service, and not the debug service', async () => {
        await start();
        expect(await services()).to.deep.equal([...SERVICES, ...REFLECTION, HEALTH].sort());
        expect(await ask({ file_containing_symbol: DEBUG }))
          .to.have.property('error_response')
          .that.is.an('object');
      });

      it('lists the debug service when it is there', async () => {
        await start('--debug');
        expect(await services()).to.deep.equal([...SERVICES, DEBUG, ...REFLECTION, HEALTH].sort());
      });

      it('describes every service, and the details of errors', async () => {
        await start('--debug');
        for (const symbol of [...SERVICES, DEBUG, ...REFLECTION, HEALTH, 'google.rpc.ErrorInfo']) {
          const answer = await ask({ file_containing_symbol: symbol });
          expect(answer.file_descriptor_response, symbol).to.be.an('object');
        }
      });
    });
  }

  describe('health', () => {
    function checkHealth(service: string): Promise<object> {
      return new Promise((resolve, reject) => {
        client.makeUnaryRequest(
          check.path,
          check.requestSerialize,
          check.responseDeserialize,
          { service },
          (error, answer) => (error ? reject(error) : resolve(answer as object)),
        );
      });
    }

    function watchHealth(service: string): ClientReadableStream<object> {
      return client.makeServerStreamRequest(watch.path, watch.requestSerialize, watch.responseDeserialize, { service });
    }

    it('is SERVING, as a whole and by service', async () => {
      await start();
      for (const service of ['', ...SERVICES]) expect(await checkHealth(service)).to.deep.equal({ status: 'SERVING' });
    });

    it('does not know what is not served', async () => {
      await start();
      const error: unknown = await checkHealth(DEBUG).catch((error: unknown) => error);
      expect(error).to.include({ code: Code.NOT_FOUND });
    });

    it('turns to NOT_SERVING when the server stops, and a watch does not hold that up', async () => {
      await start('--drain-ms', '600000');
      const states = watchHealth('')[Symbol.asyncIterator]();
      expect((await states.next()).value).to.deep.equal({ status: 'SERVING' });
      const exit = server.stop();
      expect((await states.next()).value).to.deep.equal({ status: 'NOT_SERVING' });
      const end: unknown = await states.next().catch((error: unknown) => error);
      expect(end).to.include({ code: Code.UNAVAILABLE });
      expect(await exit).to.equal(0);
    });
  });
});

/** Hostile bytes for one rpc of a real server. What is sent and in which order follows from the seed. */
import { expect } from 'chai';
import fc from 'fast-check';
import { DebugServiceService } from '../../clients/typescript/gen/resonate_grpc/debug/v1/debug.js';
import { Code, type ResonateError } from '../../clients/typescript/index.js';
import { RawClient, TestServer } from '../e2e/fixture.js';
import { hostileBytes } from './hostile-bytes.js';
import type { Method } from './methods.js';
import { isMessage } from './wire.js';
import { arrange, soundRequests } from './world.js';

/** What a request can be answered with, whatever it consists of. */
export const ANSWERS: readonly string[] = [
  'OK',
  'INVALID_ARGUMENT',
  'NOT_FOUND',
  'ABORTED',
  'FAILED_PRECONDITION',
  'UNIMPLEMENTED',
];
/** What it says of bytes that are no message, behind the name of the field. */
const NO_MESSAGE = 'not a protobuf message of this type';
/** How long PromiseWait may wait for one that nobody settles, in ms. */
const WAIT = 200;

export interface FuzzOptions {
  readonly seed: number;
  readonly runs: number;
}

/** A server with the world in it. */
export class FuzzedServer {
  readonly #client: RawClient;
  /** All state before the next request. */
  #before: Buffer = Buffer.of();
  /** How often each answer came. */
  readonly answers = new Map<string, number>();

  private constructor(readonly server: TestServer) {
    this.#client = new RawClient(server.process.address);
  }

  static async start(): Promise<FuzzedServer> {
    const fuzzed = new FuzzedServer(await TestServer.start());
    await fuzzed.#restore();
    return fuzzed;
  }

  async end(): Promise<void> {
    this.#client.close();
    await this.server.end();
  }

  /** Sends such bytes, and more of them. Throws with the smallest request that goes wrong, and the commands that repeat it. */
  async fuzz(method: Method, { seed, runs }: FuzzOptions): Promise<void> {
    const bytes = hostileBytes(method, soundRequests(method.name));
    const holds = fc.asyncProperty(bytes, (bytes) => this.send(method, bytes));
    const { failed, counterexample, errorInstance } = await fc.check(holds, { seed, numRuns: runs });
    if (!failed) return;
    const [request = Buffer.of()] = counterexample ?? [];
    const replay = `npm run fuzz -- --rpc ${method.name}`;
    const hex = Buffer.from(request).toString('hex');
    throw new Error(
      `${method.name}: ${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)}\n` +
        `the request alone:       ${replay} --bytes ${hex || "''"}\n` +
        `with all those before:   ${replay} --seed ${seed} --runs ${runs}`,
      { cause: errorInstance },
    );
  }

  /** Sends one request to the world as it was arranged. Throws if the answer, or what the server has become, is not as it must be. */
  async send({ name, path, input, isStream, isDebug }: Method, bytes: Uint8Array): Promise<void> {
    const deadline = name === 'promiseWait' ? { deadline: Date.now() + WAIT } : {};
    const error = await this.#client.call(path, bytes, { isStream, ...deadline }).then(
      () => undefined,
      (error: unknown) => error as ResonateError,
    );
    const answer = Code[error?.code ?? Code.OK];
    this.answers.set(answer, (this.answers.get(answer) ?? 0) + 1);
    const described = `${answer}: ${error?.message ?? ''}`;
    const allowed = name === 'promiseWait' ? [...ANSWERS, 'DEADLINE_EXCEEDED'] : ANSWERS;
    expect(answer, described).to.be.oneOf(allowed);

    const isRefusedAsBytes = answer === 'INVALID_ARGUMENT' && error!.message.endsWith(NO_MESSAGE);
    expect(isRefusedAsBytes, described).to.equal(!isMessage(bytes, input.fields));

    const after = await this.#snapshot();
    if (error !== undefined) expect(after.equals(this.#before), `${described} has changed the state`).to.equal(true);
    // The clock of the debug service goes forward only: there is no way back to the world as it was arranged.
    else if (isDebug) this.#before = after;
    else if (!after.equals(this.#before)) await this.#restore();
    expect(this.server.process.log.filter(({ level }) => Number(level) >= 50)).to.deep.equal([]);
  }

  #snapshot(): Promise<Buffer> {
    return this.#client.call(DebugServiceService.debugSnapshot.path, Buffer.of());
  }

  async #restore(): Promise<void> {
    await this.server.reset();
    await arrange(this.server);
    this.#before = await this.#snapshot();
  }
}

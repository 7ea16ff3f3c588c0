/** A Pipeline stream as it is: nothing is batched, repaired or tried again. */
import { Client, credentials, Metadata, type ClientDuplexStream, type ServiceError } from '@grpc/grpc-js';
import {
  PipelineRequest,
  PipelineServiceService,
  type PipelineAnswer,
  type PipelineCall,
  type PipelineResponse,
} from '../../clients/typescript/gen/resonate_grpc/v1/pipeline.js';

export type Request = NonNullable<PipelineCall['request']>;
export type Outcome = NonNullable<PipelineAnswer['outcome']>;

export class PipelineStub {
  readonly #client: Client;
  readonly #stream: ClientDuplexStream<Buffer, PipelineResponse>;
  readonly #waiting = new Map<number, (outcome: Outcome) => void>();
  #nextId = 1;
  /** The ids of the answers, in the order in which they came. */
  readonly answered: number[] = [];
  /** How many answers each frame had. */
  readonly frames: number[] = [];
  /** How the stream ended: undefined for OK. */
  readonly ended: Promise<ServiceError | undefined>;

  constructor(address: string) {
    this.#client = new Client(address, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.max_receive_message_length': -1,
      'grpc.max_send_message_length': -1,
    });
    const { path, responseDeserialize } = PipelineServiceService.pipeline;
    const bytes = (frame: Buffer): Buffer => frame;
    this.#stream = this.#client.makeBidiStreamRequest(path, bytes, responseDeserialize, new Metadata());
    this.#stream.on('data', ({ answers }: PipelineResponse) => {
      this.frames.push(answers.length);
      for (const { callId, outcome } of answers) {
        this.answered.push(callId);
        this.#waiting.get(callId)?.(outcome as Outcome);
        this.#waiting.delete(callId);
      }
    });
    this.ended = new Promise((resolve) => {
      this.#stream.on('error', (error: ServiceError) => resolve(error));
      this.#stream.on('end', () => resolve(undefined));
    });
  }

  /** Sends these in one frame. The answers come one by one. */
  frame(...requests: readonly (Request | undefined)[]): Promise<Outcome>[] {
    const calls = requests.map((request) => ({ callId: this.#nextId++, request }));
    const answers = calls.map(({ callId }) => new Promise<Outcome>((resolve) => this.#waiting.set(callId, resolve)));
    this.bytes(Buffer.from(PipelineRequest.encode({ calls }).finish()));
    return answers;
  }

  /** Sends whatever it is as a frame. */
  bytes(frame: Buffer): void {
    this.#stream.write(frame);
  }

  /** Says that nothing more will come. */
  end(): void {
    this.#stream.end();
  }

  /** Breaks the stream. */
  cancel(): void {
    this.#stream.cancel();
  }

  close(): void {
    this.cancel();
    this.#client.close();
  }
}

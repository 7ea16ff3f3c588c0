import { status, type ServerDuplexStream, type ServiceError } from '@grpc/grpc-js';
import { PipelineServiceService } from '../../clients/typescript/gen/resonate_grpc/v1/pipeline.js';
import type { Log } from '../engine/log.js';
import { RequestError, toServiceError } from './errors.js';
import { Pipeline } from './pipeline.js';
import { pipelineMethods } from './pipeline-calls.js';
import type { Service } from './server.js';
import { visible } from './unary.js';

export interface PipelineServiceOptions {
  /** The services whose unary rpcs can be called. */
  readonly services: readonly Service[];
  readonly maxRequestBytes: number;
  readonly log: Log;
}

type Call = ServerDuplexStream<Buffer, Buffer>;

/** Frames as bytes: each call in them is decoded by itself, and each answer was encoded by itself. */
const definition = {
  pipeline: {
    ...PipelineServiceService.pipeline,
    requestDeserialize: (bytes: Buffer) => bytes,
    responseSerialize: (bytes: Buffer) => bytes,
  },
};

/** The rpc Pipeline, and all its open streams. */
export class PipelineService implements Service {
  readonly name = 'resonate_grpc.v1.PipelineService';
  readonly definition = definition;
  readonly methods = {};
  readonly streams = { pipeline: (call: Call): void => this.#open(call) };
  readonly #methods: ReturnType<typeof pipelineMethods>;
  readonly #log: Log;
  readonly #opened = new Map<Call, Pipeline>();
  #isDraining = false;

  constructor({ services, maxRequestBytes, log }: PipelineServiceOptions) {
    this.#methods = pipelineMethods(services, maxRequestBytes);
    this.#log = log;
  }

  /** Reads no more, answers what has been read, and ends every stream: come back later. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    for (const call of this.#opened.keys()) call.pause();
    await Promise.all([...this.#opened].map(([call, pipeline]) => this.#end(call, pipeline, draining())));
  }

  #open(call: Call): void {
    if (this.#isDraining) return void call.emit('error', draining());
    const pipeline = new Pipeline({
      methods: this.#methods,
      log: this.#log,
      stream: {
        // The stream's callback has an error where the library's type has none: then it is broken, and will be told so.
        write: (frame, written) => call.write(frame, (error?: Error | null) => error ?? written()),
      },
    });
    this.#opened.set(call, pipeline);
    call.on('data', (frame: Buffer) => this.#read(call, pipeline, frame));
    call.on('end', () => void this.#end(call, pipeline));
    const broken = (): void => {
      this.#opened.delete(call);
      pipeline.break();
    };
    call.on('cancelled', broken);
    call.on('close', broken);
  }

  /** One frame at a time: what the client sends meanwhile stays with it, as far as its flow-control window goes. */
  #read(call: Call, pipeline: Pipeline, frame: Buffer): void {
    call.pause();
    pipeline.accept(frame).then(
      () => {
        if (!this.#isDraining) call.resume();
      },
      (error: unknown) => void this.#end(call, pipeline, toServiceError(visible(this.#log, error))),
    );
  }

  /** The client has no more to say, or said what cannot be understood. What it said before is answered. */
  async #end(call: Call, pipeline: Pipeline, error?: ServiceError): Promise<void> {
    await pipeline.answered();
    if (!this.#opened.delete(call)) return;
    if (error !== undefined) call.emit('error', error);
    else call.end();
  }
}

function draining(): ServiceError {
  return toServiceError(new RequestError(status.UNAVAILABLE, 'DRAINING', 'the server is stopping; connect again'));
}

import type { Log } from '../../clients/typescript/index.js';

/** A log that can be read. */
export class Recorder implements Log {
  readonly lines: string[] = [];

  debug(_fields: object, message: string): void {
    this.lines.push(message);
  }

  info(fields: object, message: string): void {
    this.debug(fields, message);
  }

  warn(fields: object, message: string): void {
    this.debug(fields, message);
  }

  error(fields: object, message: string): void {
    this.debug(fields, message);
  }
}

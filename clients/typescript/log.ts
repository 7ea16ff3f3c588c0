/** Where a runtime reports what it does. A pino logger fits. Ids, never payloads. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

const nothing = (): void => {};

/** Says nothing. */
export const silentLog: Log = { debug: nothing, info: nothing, warn: nothing, error: nothing };

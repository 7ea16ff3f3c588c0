/** A script of these tests as a process of its own, which speaks in lines. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

export class ScriptProcess {
  readonly child: ChildProcess;
  readonly #lines: string[] = [];
  readonly #watchers = new Set<() => void>();
  #ended = false;

  /** Runs a compiled script with node. */
  constructor(script: URL, args: readonly string[]) {
    this.child = spawn(process.execPath, ['--enable-source-maps', script.pathname, ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    createInterface({ input: this.child.stdout! }).on('line', (line) => {
      this.#lines.push(line);
      this.#notify();
    });
    this.child.once('close', () => {
      this.#ended = true;
      this.#notify();
    });
  }

  /** Resolves with the first line that begins with the text; rejects if the process ends without it. */
  line(beginning: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const line = this.#lines.find((each) => each.startsWith(beginning));
        if (line !== undefined) resolve(line);
        else if (this.#ended)
          reject(new Error(`the process ended without ${JSON.stringify(beginning)}: ${this.#lines.join('; ')}`));
        else return;
        this.#watchers.delete(look);
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Writes a line to its standard input. */
  say(line: string): void {
    this.child.stdin!.write(`${line}\n`);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves with its exit code. */
  async exit(): Promise<number | null> {
    if (this.child.exitCode === null && this.child.signalCode === null) await once(this.child, 'exit');
    return this.child.exitCode;
  }

  #notify(): void {
    for (const look of [...this.#watchers]) look();
  }
}

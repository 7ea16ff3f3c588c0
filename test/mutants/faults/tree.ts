/** A copy of the compiled project in which one file may be faulty. Whatever runs from it, servers too, runs with the fault. */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Of the project. */
export const ROOT = new URL('../../../../', import.meta.url);

const COMPILED = 'dist';

export class Tree {
  readonly #path = mkdtempSync(join(tmpdir(), 'resonate-grpc-tree-'));

  constructor() {
    const root = fileURLToPath(ROOT);
    for (const name of readdirSync(root)) if (name !== COMPILED) symlinkSync(join(root, name), join(this.#path, name));
    cpSync(join(root, COMPILED), join(this.#path, COMPILED), { recursive: true });
  }

  /** Of a compiled script, below `dist/`. */
  script(name: string): URL {
    return pathToFileURL(join(this.#path, COMPILED, name));
  }

  /** Does work while a file of `src/` has another code. */
  async withFaulty<T>(file: string, code: string, work: () => Promise<T>): Promise<T> {
    const script = this.script(file.replace(/\.ts$/, '.js'));
    const sound = readFileSync(script);
    writeFileSync(script, code);
    try {
      return await work();
    } finally {
      writeFileSync(script, sound);
    }
  }

  remove(): void {
    rmSync(this.#path, { recursive: true });
  }
}

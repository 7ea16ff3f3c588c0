/** A named fault: one small deliberate change of a source, of a kind that no mutation tool makes, and the test that finds it. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { ROOT } from './tree.js';

export interface Fault {
  readonly name: string;
  /** What a user would suffer from it. */
  readonly harm: string;
  /** From the root of the project. */
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly text: string;
  /** Stands there instead. JavaScript is enough: types are not checked. */
  readonly replacement: string;
  /** A test file below `test/`, without its ending, and a part of the full titles of the tests that are to find the fault. */
  readonly foundBy: readonly [file: string, title: string];
}

/** The text of a fault is not in its file exactly once, or its replacement changes nothing or does not parse. */
export class StaleFault extends Error {}

/** The file as it is compiled with the fault in it. Throws a `StaleFault`. */
export function compileFaulty({ name, file, text, replacement }: Fault): string {
  const source = readFileSync(new URL(file, ROOT), 'utf8');
  const parts = source.split(text);
  if (parts.length !== 2) throw new StaleFault(`${name}: its text stands in ${file} ${parts.length - 1} times`);
  const faulty = compile(file, parts.join(replacement));
  if (faulty.problem !== undefined) throw new StaleFault(`${name}: ${faulty.problem}`);
  if (faulty.code === compile(file, source).code) throw new StaleFault(`${name}: it changes nothing`);
  return faulty.code;
}

function compile(fileName: string, text: string): { readonly code: string; readonly problem: string | undefined } {
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ES2022, verbatimModuleSyntax: true };
  const output = ts.transpileModule(text, { fileName, compilerOptions, reportDiagnostics: true });
  const [first] = output.diagnostics ?? [];
  return { code: output.outputText, problem: first && ts.flattenDiagnosticMessageText(first.messageText, ' ') };
}

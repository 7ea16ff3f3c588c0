/** A small fault in one place of the code. */
export interface Mutant {
  readonly file: string;
  /** Where it begins, counted from 1. */
  readonly lineNumber: number;
  /** The lines that it touches, as one, and what they become. */
  readonly line: string;
  readonly becomes: string;
  readonly isNoticed: boolean;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Longer texts are cut in their middle, so that a mutant of a whole function can be named. */
const LONGEST = 160;
export const CUT = ' … ';

/** What the lines between two places (counted from 1) are, and what they become when the text between is replaced. */
export function rewrite(source: string, start: Place, end: Place, replacement: string) {
  const lines = source.split('\n').slice(start.line - 1, end.line);
  const before = (lines[0] ?? '').slice(0, start.column - 1);
  const after = (lines.at(-1) ?? '').slice(end.column - 1);
  return { line: asOne(lines.join('\n')), becomes: asOne(before + replacement + after) };
}

/** In one line, with single spaces. */
export function asOne(text: string): string {
  const line = collapse(text);
  if (line.length <= LONGEST) return line;
  const head = (LONGEST * 3) / 4;
  return line.slice(0, head).trimEnd() + CUT + line.slice(head + CUT.length - LONGEST).trimStart();
}

export function collapse(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

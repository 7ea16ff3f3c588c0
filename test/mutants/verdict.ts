/** Is every fault noticed by a test, or listed with a reason why nobody can notice it? */
import type { Equivalent } from './equivalents.js';
import type { Mutant } from './mutant.js';

export interface Verdict {
  readonly scores: readonly Score[];
  /** Neither noticed nor listed. */
  readonly survivors: readonly Mutant[];
  /** Listed, but noticed or not there. */
  readonly stale: readonly Stale[];
}

export interface Score {
  readonly file: string;
  readonly mutants: number;
  readonly noticed: number;
  readonly equivalent: number;
}

export interface Stale {
  readonly equivalent: Equivalent;
  readonly becomes: string;
  readonly problem: string;
}

/** Judges the mutants of some files. What is listed for other files is not looked at. */
export function judge(mutants: readonly Mutant[], equivalents: readonly Equivalent[]): Verdict {
  const files = [...new Set(mutants.map(({ file }) => file))].sort();
  const isListed = (mutant: Mutant): boolean =>
    equivalents.some((equivalent) => equivalent.becomes.some((becomes) => isNamed(mutant, equivalent, becomes)));

  const stale: Stale[] = [];
  for (const equivalent of equivalents.filter(({ file }) => files.includes(file))) {
    for (const becomes of equivalent.becomes) {
      const named = mutants.filter((mutant) => isNamed(mutant, equivalent, becomes));
      if (named.length === 0) stale.push({ equivalent, becomes, problem: 'is not among the mutants' });
      if (named.some(({ isNoticed }) => isNoticed))
        stale.push({ equivalent, becomes, problem: 'is noticed by a test' });
    }
  }

  return {
    scores: files.map((file) => {
      const all = mutants.filter((mutant) => mutant.file === file);
      const unnoticed = all.filter(({ isNoticed }) => !isNoticed);
      const equivalent = unnoticed.filter(isListed).length;
      return { file, mutants: all.length, noticed: all.length - unnoticed.length, equivalent };
    }),
    survivors: mutants.filter((mutant) => !mutant.isNoticed && !isListed(mutant)),
    stale,
  };
}

function isNamed(mutant: Mutant, { file, line }: Equivalent, becomes: string): boolean {
  return mutant.file === file && mutant.line === line && mutant.becomes === becomes;
}

export function holds({ survivors, stale }: Verdict): boolean {
  return survivors.length === 0 && stale.length === 0;
}

export function show({ scores, survivors, stale }: Verdict): string[] {
  const sum = (field: 'mutants' | 'noticed' | 'equivalent'): number =>
    scores.reduce((total, score) => total + score[field], 0);
  const total: Score = { file: 'all', mutants: sum('mutants'), noticed: sum('noticed'), equivalent: sum('equivalent') };
  return [
    '  mutants  noticed  equivalent',
    ...[...scores, total].map(
      ({ file, mutants, noticed, equivalent }) =>
        `${cell(mutants, 9)}${cell(noticed, 9)}${cell(equivalent, 12)}  ${file}`,
    ),
    ...survivors.flatMap(({ file, lineNumber, line, becomes }) => [
      `SURVIVOR ${file}:${lineNumber}`,
      `  - ${line}`,
      `  + ${becomes}`,
    ]),
    ...stale.flatMap(({ equivalent: { file, line }, becomes, problem }) => [
      `STALE ${file}: this listed equivalent ${problem}`,
      `  - ${line}`,
      `  + ${becomes}`,
    ]),
    `${survivors.length} survivors without a reason, ${stale.length} stale reasons`,
  ];
}

function cell(count: number, width: number): string {
  return String(count).padStart(width);
}

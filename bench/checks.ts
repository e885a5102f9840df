/** One sentence that a program set out to prove, what it saw, and whether that is so. */
export type Check = { claim: string; holds: boolean; seen: string };

export function equal(claim: string, seen: number | string, wanted: number | string): Check {
  return {
    claim,
    holds: seen === wanted,
    seen: seen === wanted ? String(seen) : `${seen}, wanted ${wanted}`,
  };
}

export function atMost(claim: string, seen: number, most: number): Check {
  return {
    claim,
    holds: seen <= most,
    seen: `${seen} (at most ${most})`,
  };
}

export function atLeast(claim: string, seen: number, least: number): Check {
  return {
    claim,
    holds: seen >= least,
    seen: `${seen} (at least ${least})`,
  };
}

/** Prints every check and says how many hold. Returns the exit code. */
export function printChecks(title: string, checks: readonly Check[]): 0 | 1 {
  console.log(title);
  for (const { claim, holds, seen } of checks) console.log(`  ${holds ? "ok  " : "FAIL"} ${claim}: ${seen}`);
  const failed = checks.filter((check) => !check.holds).length;
  console.log(`  ${checks.length - failed} hold, ${failed} do not`);
  return failed === 0 ? 0 : 1;
}

/** Reads `--name 123` from the command line; anything else on it is an error. */
export function readNumbers<T extends Record<string, number>>(defaults: T, words: readonly string[]): T {
  const read: Record<string, number> = { ...defaults };
  for (let index = 0; index < words.length; index += 2) {
    const name = words[index]?.replace(/^--/, "") ?? "";
    const value = Number(words[index + 1]);
    if (!(name in defaults) || !Number.isSafeInteger(value) || value < 0) {
      throw new Error(
        `--${name}: expected one of --${Object.keys(defaults).join(", --")} and a whole number`,
      );
    }
    read[name] = value;
  }
  return { ...defaults, ...read };
}

export function sumOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** What is read here of what the nemesis writes by `--json`. */
export type NemesisRun = {
  results: readonly { id: string; engine: string; outcome: string; reason: string }[];
};

/** Trials that this machine could not make, with what it lacks; "" when there are none. */
export function skippedTrials(run: NemesisRun | null): string {
  if (run === null) return "all of them: the nemesis has written no results";
  const skipped = run.results.filter(({ outcome }) => outcome === "skipped");
  const byReason = Object.entries(Object.groupBy(skipped, ({ reason }) => reason));
  return byReason
    .map(
      ([reason, some = []]) => `${some.map(({ id, engine }) => `${id} on ${engine}`).join(", ")}: ${reason}`,
    )
    .join("; ");
}

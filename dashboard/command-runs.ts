import type { Now, RunNote } from "@offers/contract/dash/operator";

const commands = {
  backup: { title: "Backup", when: "admin -- backup --to F", oldDays: 2 },
  recount: { title: "Recount of all events", when: "admin -- recount", oldDays: 31 },
  audit: { title: "Audit of the ledger", when: "admin -- audit", oldDays: 31 },
} as const;

/** The operator's commands, each with how it ended last. A server's backups are its own programs', which leave no note. */
export function commandRuns({ runs, versions }: Pick<Now, "runs" | "versions">) {
  const kinds: RunNote["kind"][] = versions.database.startsWith("SQLite")
    ? ["backup", "recount", "audit"]
    : ["recount", "audit"];
  return kinds.map((kind) => ({ kind, ...commands[kind], run: runs.find((run) => run.kind === kind) }));
}

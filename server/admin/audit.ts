import { audit } from "../store/books/audit.ts";
import { listForeignPayments } from "../store/catalogue/advertiser-rows.ts";
import type { Noun } from "./command.ts";
import { keepRun, orKeepFailure } from "./note-run.ts";
import { table } from "./table.ts";

export const auditNoun: Noun = {
  name: "audit",
  summary: "Adds the ledger up again and compares every balance, budget and bill with it.",
  commands: [
    {
      verb: "",
      summary: "Add the ledger up again; exit code 1 and the figures that differ, if any.",
      options: [],
      examples: ["audit", "audit --json"],
      run: async (_, context) => {
        const { lines, differences } = await orKeepFailure(context, "audit", () =>
          audit(context.catalogue.db),
        );
        const rows = differences.map((one) => [
          one.figure,
          one.subject,
          one.day || "-",
          String(one.recorded),
          String(one.recomputed),
        ]);
        const differs = differences.length > 0;
        const says = differs
          ? `figures that differ: ${differences.length} (ledger lines: ${lines})`
          : `every figure agrees with the ledger: ${lines} lines`;
        const heads = ["FIGURE", "OF", "DAY", "RECORDED", "RECOMPUTED"];
        const foreign = await listForeignPayments(context.catalogue.db);
        const runNotes = await keepRun(context, { kind: "audit", isGood: !differs, says });
        return {
          answer: { agrees: !differs, lines, differences },
          text: differs ? `${says}\n${table(heads, rows)}` : says,
          differs,
          notes: [
            ...foreign.map(
              ({ advertiserId, paidIn, paysIn }) =>
                `${advertiserId} has paid in ${paidIn}, and its offers are in ${paysIn}: its balance takes the one for the other`,
            ),
            ...runNotes,
          ],
        };
      },
    },
  ],
};

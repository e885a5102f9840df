import { audit } from "../store/books/audit.ts";
import type { Noun } from "./command.ts";
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
      run: async (_, { catalogue }) => {
        const { lines, differences } = await audit(catalogue.db);
        const rows = differences.map((one) => [
          one.figure,
          one.subject,
          one.day || "-",
          String(one.recorded),
          String(one.recomputed),
        ]);
        return {
          answer: { agrees: differences.length === 0, lines, differences },
          text:
            differences.length === 0
              ? `every figure agrees with the ledger: ${lines} lines`
              : `figures that differ: ${differences.length} (ledger lines: ${lines})\n${table(["FIGURE", "OF", "DAY", "RECORDED", "RECOMPUTED"], rows)}`,
          differs: differences.length > 0,
        };
      },
    },
  ],
};

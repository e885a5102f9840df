import { recount } from "../store/books/recount.ts";
import { recountSums } from "../store/books/recount-sums.ts";
import { websiteKeysById } from "../store/catalogue/websites.ts";
import type { Noun } from "./command.ts";
import { table } from "./table.ts";

export const recountNoun: Noun = {
  name: "recount",
  summary: "Counts every stored event again and compares the reports' counters, and their sums, with it.",
  commands: [
    {
      verb: "",
      summary: "Count all events again; exit code 1 and the cells that differ, if any.",
      options: [],
      examples: ["recount", "recount --json"],
      run: async (_, { catalogue }) => {
        const { cells, differences: ofCounters } = await recount(catalogue.db);
        const differences = [...ofCounters, ...(await recountSums(catalogue.db))];
        const keys = await websiteKeysById(catalogue.db);
        const named = differences.map(({ websiteId, ...rest }) => ({
          websiteKey: keys.get(websiteId) ?? `website ${websiteId}, which is not there`,
          ...rest,
        }));
        const rows = named.map((one) => [
          one.day,
          one.websiteKey,
          one.country,
          one.vertical || "-",
          one.surface,
          one.test ? "test" : "live",
          one.count,
          String(one.recorded),
          String(one.recounted),
        ]);
        const titles = [
          "DAY",
          "WEBSITE",
          "COUNTRY",
          "VERTICAL",
          "SURFACE",
          "TRAFFIC",
          "COUNT",
          "RECORDED",
          "RECOUNTED",
        ];
        return {
          answer: { agrees: named.length === 0, cells, differences: named },
          text:
            named.length === 0
              ? `every counter agrees with the events: ${cells} cells`
              : `counts that differ: ${named.length} (cells: ${cells})\n${table(titles, rows)}`,
          differs: named.length > 0,
        };
      },
    },
  ],
};

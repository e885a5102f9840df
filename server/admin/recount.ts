import { type DetailPlace, recount } from "../store/books/recount.ts";
import { publisherIdsByNumber } from "../store/catalogue/publishers.ts";
import { websiteKeysById } from "../store/catalogue/websites.ts";
import type { Noun } from "./command.ts";
import { keepRun, orKeepFailure } from "./note-run.ts";
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
      run: async (_, context) => {
        const { catalogue } = context;
        const { cells, differences } = await orKeepFailure(context, "recount", () => recount(catalogue.db));
        const [keys, publishers] = [
          await websiteKeysById(catalogue.db),
          await publisherIdsByNumber(catalogue.db),
        ];
        const named = differences.map(({ websiteId, publisher, ...rest }) => ({
          websiteKey:
            websiteId === null
              ? `all of ${publishers.get(publisher ?? 0) ?? "no publisher"}`
              : (keys.get(websiteId) ?? `website ${websiteId}, which is not there`),
          ...rest,
        }));
        const rows = named.map((one) => [
          one.day,
          one.websiteKey,
          one.country,
          one.vertical || "-",
          one.surface,
          one.test ? "test" : "live",
          one.currency || "-",
          one.detail === null ? "-" : detailText(one.detail),
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
          "CURRENCY",
          "DETAIL",
          "COUNT",
          "RECORDED",
          "RECOUNTED",
        ];
        const differs = named.length > 0;
        const says = differs
          ? `counts that differ: ${named.length} (cells: ${cells})`
          : `every counter agrees with the events: ${cells} cells`;
        return {
          answer: { agrees: !differs, cells, differences: named },
          text: differs ? `${says}\n${table(titles, rows)}` : says,
          differs,
          notes: await keepRun(context, { kind: "recount", isGood: !differs, says }),
        };
      },
    },
  ],
};

/** `17:00 offer 3 premium phone NJ`: as fine as reports are, by the offer's number. */
const detailText = ({ hour, offer, placement, device, region }: DetailPlace): string =>
  [`${String(hour).padStart(2, "0")}:00`, `offer ${offer || "-"}`, placement, device, region]
    .filter((part) => part !== null && part !== "")
    .join(" ");

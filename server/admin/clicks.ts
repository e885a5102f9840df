import { calendarDate } from "@offers/contract/reports";
import { reportRowsMost } from "@offers/contract/words";
import { z } from "zod";
import { csvLine } from "../core/csv-cell.ts";
import { reportRange } from "../core/report-range.ts";
import { utcDay } from "../core/utc-day.ts";
import { type FollowedClick, readFollowedClicks } from "../store/books/followed-clicks.ts";
import { requireAdvertiser } from "../store/catalogue/advertiser-rows.ts";
import { CatalogueRefusal, parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { requireOffer } from "../store/catalogue/offers.ts";
import {
  type CommandContext,
  type Given,
  type Noun,
  type Outcome,
  optionalTextOf,
  UsageError,
} from "./command.ts";
import { amount, table } from "./table.ts";

export const clicksNoun: Noun = {
  name: "clicks",
  summary: "Each click that an advertiser got, by the id that it was told.",
  commands: [
    {
      verb: "",
      summary:
        "List the links that were followed to an offer, or to an advertiser, whether they were billed, and why not: to compare with what the advertiser counts. Events are kept for RETENTION_DAYS; clicks above the limit of calls are in no list.",
      options: [
        { name: "offer", kind: "text", field: "offerId", hint: "O", help: "the offer's id" },
        { name: "advertiser", kind: "text", field: "advertiserId", hint: "A", help: "the advertiser's id" },
        {
          name: "from",
          kind: "text",
          field: "from",
          hint: "YYYY-MM-DD",
          help: "the first day, UTC (29 days before the last)",
        },
        { name: "to", kind: "text", field: "to", hint: "YYYY-MM-DD", help: "the last day, UTC (today)" },
        { name: "csv", kind: "flag", field: "csv", help: "as CSV, amounts in whole micro-units" },
      ],
      examples: [
        "clicks --offer offer_brightwave_wind_gb --from 2026-11-12 --to 2026-11-12",
        "clicks --advertiser advertiser_brightwave-energy --csv",
      ],
      run: clicks,
    },
  ],
};

const asked = z.object({
  from: calendarDate.optional(),
  to: calendarDate.optional(),
  csv: z.boolean().default(false),
});

async function clicks(given: Given, { catalogue: { db }, now }: CommandContext): Promise<Outcome> {
  const { csv, ...days } = parseInput(asked, given);
  const offerId = optionalTextOf(given, "offerId");
  const advertiserId = optionalTextOf(given, "advertiserId");
  const range = reportRange(days, utcDay(now));
  if (!range.ok) throw new CatalogueRefusal([{ field: range.parameter, message: range.message }]);
  const { from, to } = range;
  const whose = await whoseClicks(db, { offerId, advertiserId });
  // One more than may be told says that there are more.
  const found = await readFollowedClicks(db, { ...whose, from, to, most: reportRowsMost + 1 });
  if (found.length > reportRowsMost) {
    const message = `must be later, or to be earlier: there are more than ${reportRowsMost} clicks`;
    throw new CatalogueRefusal([{ field: "from", message }]);
  }
  const items = found.map((click) => ({ ...click, at: new Date(click.at).toISOString() }));
  return { answer: { ...whose, from, to, items }, text: csv ? csvOf(items) : textOf(items) };
}

const whoseClicks = async (
  db: CommandContext["catalogue"]["db"],
  { offerId, advertiserId }: Record<"offerId" | "advertiserId", string | undefined>,
): Promise<{ offerId: string } | { advertiserId: string }> => {
  if (offerId !== undefined && advertiserId === undefined) {
    await requireOffer(db, offerId);
    return { offerId };
  }
  if (advertiserId !== undefined && offerId === undefined) {
    await requireAdvertiser(db, advertiserId);
    return { advertiserId };
  }
  throw new UsageError(["name whose clicks they are by --offer or by --advertiser, by one of the two"]);
};

type Told = Omit<FollowedClick, "at"> & { at: string };

const columns = [
  ...["at", "clickId", "offerId", "websiteKey", "country", "region", "placement", "test"],
  ...["reason", "billedMicros", "currency"],
] as const satisfies readonly (keyof Told)[];

const csvOf = (items: readonly Told[]): string =>
  [
    csvLine([...columns]),
    ...items.map((click) =>
      csvLine(
        columns.map((name) => {
          const value = click[name];
          return typeof value === "boolean" ? String(value) : (value ?? "");
        }),
      ),
    ),
  ]
    .join("")
    .trimEnd();

const textOf = (items: readonly Told[]): string =>
  items.length === 0
    ? "no link was followed"
    : table(
        ["AT", "CLICK ID", "OFFER", "WEBSITE", "PLACE", "BILLED", "WHY NOT"],
        items.map(({ at, clickId, offerId, websiteKey, country, region, ...click }) => [
          ...[at, clickId, offerId, websiteKey, region || country],
          click.billedMicros === null ? "-" : `${amount(click.billedMicros)} ${click.currency}`,
          whyNot(click),
        ]),
      );

const whyNot = ({ reason, billedMicros, test }: Pick<Told, "reason" | "billedMicros" | "test">): string =>
  reason ?? (billedMicros !== null ? "" : test ? "test traffic" : "no price of a click");

import { z } from "zod";
import { readAdvertiserStatement } from "../store/books/advertiser-statement.ts";
import { readStatement } from "../store/books/statement.ts";
import { advertiserStatementCsv, publisherStatementCsv } from "../store/books/statement-csv.ts";
import { requireAdvertiser } from "../store/catalogue/advertisers.ts";
import { parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { requirePublisher } from "../store/catalogue/publishers.ts";
import {
  type CommandContext,
  type Given,
  type Noun,
  type Outcome,
  optionalTextOf,
  UsageError,
} from "./command.ts";
import { publisherOption } from "./publisher-option.ts";
import {
  advertiserText,
  besideAdvertisers,
  besidePublishers,
  checkText,
  publisherText,
} from "./statement-text.ts";

export const statementNoun: Noun = {
  name: "statement",
  summary: "A month's account of a publisher or an advertiser, out of the ledger.",
  commands: [
    {
      verb: "",
      summary:
        "Print what a publisher has earned in a month, by website and currency, or what an advertiser paid in and was billed, by offer; exit code 1 where reports, or budgets and balance, say otherwise.",
      options: [
        publisherOption,
        {
          name: "advertiser",
          kind: "text",
          field: "advertiserId",
          hint: "A",
          help: "the advertiser's id; one of both is named",
        },
        {
          name: "month",
          kind: "text",
          field: "month",
          hint: "YYYY-MM",
          required: true,
          help: "the month (UTC); one that is not over yet is told as far as it has come",
        },
        { name: "csv", kind: "flag", field: "csv", help: "as CSV, amounts in whole micro-units" },
      ],
      examples: [
        "statement --publisher publisher_northwind --month 2026-11",
        "statement --publisher publisher_northwind --month 2026-11 --csv",
        "statement --advertiser advertiser_skyhop --month 2026-11",
      ],
      run: statement,
    },
  ],
};

const asked = z.object({
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11"),
  csv: z.boolean().default(false),
});

async function statement(given: Given, { catalogue: { db } }: CommandContext): Promise<Outcome> {
  const { month, csv } = parseInput(asked, given);
  const publisherId = optionalTextOf(given, "publisherId");
  const advertiserId = optionalTextOf(given, "advertiserId");
  if ((publisherId === undefined) === (advertiserId === undefined)) {
    throw new UsageError(["name whose statement it is: by --publisher or by --advertiser"]);
  }
  const asking = { db, csv, days: { month, ...daysOf(month) } };
  return publisherId === undefined
    ? ofAdvertiser(advertiserId ?? "", asking)
    : ofPublisher(publisherId, asking);
}

type Asking = {
  db: CommandContext["catalogue"]["db"];
  csv: boolean;
  days: { month: string; from: string; to: string };
};

const ofPublisher = async (publisherId: string, { db, csv, days }: Asking): Promise<Outcome> => {
  await requirePublisher(db, publisherId);
  const read = await readStatement(db, { publisherId, ...days });
  const agrees = read.differences.length === 0;
  return {
    answer: { publisherId, ...days, agrees, ...read },
    text: csv
      ? publisherStatementCsv(days.month, read).trimEnd()
      : publisherText(`${publisherId}, ${days.month} (UTC)`, read),
    notes: csv ? [checkText(read, besidePublishers)] : [],
    differs: !agrees,
  };
};

const ofAdvertiser = async (advertiserId: string, { db, csv, days }: Asking): Promise<Outcome> => {
  await requireAdvertiser(db, advertiserId);
  const read = await readAdvertiserStatement(db, { advertiserId, ...days });
  if (read === null) throw new Error(`the advertiser ${advertiserId} was there a moment ago`);
  const { name, currency, payments, ...rest } = read;
  const agrees = read.differences.length === 0;
  const answer = {
    ...{ advertiserId, name, currency, ...days, agrees },
    ...{ ...rest, payments: payments.map(({ at, ...one }) => ({ ...one, at: new Date(at).toISOString() })) },
  };
  return {
    answer,
    text: csv
      ? advertiserStatementCsv({ advertiserId, ...days }, read).trimEnd()
      : advertiserText(
          `${advertiserId} (${name}), ${days.month} (UTC), ${currency ?? "no currency yet"}`,
          read,
        ),
    notes: csv ? [checkText(read, besideAdvertisers)] : [],
    differs: !agrees,
  };
};

const daysOf = (month: string): { from: string; to: string } => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
};

import { monthName } from "@offers/contract/text";
import { z } from "zod";
import {
  advertiserCheck,
  finalText,
  monthAt,
  publishersCheck,
  type ToldMonth,
} from "../core/statement-month.ts";
import { readAdvertiserStatement } from "../store/books/advertiser-statement.ts";
import { billedInAll, readStatement, readStatements, type Statement } from "../store/books/statement.ts";
import { advertiserStatementCsv, publisherStatementsCsv } from "../store/books/statement-csv.ts";
import { requireAdvertiser } from "../store/catalogue/advertiser-rows.ts";
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
import { advertiserText, comparedOf, publishersText } from "./statement-text.ts";

export const statementNoun: Noun = {
  name: "statement",
  summary: "A month's account of publishers or of an advertiser, out of the ledger.",
  commands: [
    {
      verb: "",
      summary:
        "Print what a publisher has earned in a month, by website and currency, or what an advertiser paid in and was billed, by offer; without either, what each publisher has earned. Exit code 1 where reports, or budgets and balance, say otherwise.",
      options: [
        publisherOption,
        {
          name: "advertiser",
          kind: "text",
          field: "advertiserId",
          hint: "A",
          help: "the advertiser's id",
        },
        {
          name: "month",
          kind: "text",
          field: "month",
          hint: "YYYY-MM",
          required: true,
          help: "the month (UTC), told as far as it has come; for a day after its end its last visits may still be billed, and from then on it says that it is final",
        },
        { name: "csv", kind: "flag", field: "csv", help: "as CSV, amounts in whole micro-units" },
      ],
      examples: [
        "statement --publisher publisher_northwind --month 2026-11",
        "statement --publisher publisher_northwind --month 2026-11 --csv",
        "statement --advertiser advertiser_brightwave-energy --month 2026-11",
        "statement --month 2026-11 --csv",
      ],
      run: statement,
    },
  ],
};

const asked = z.object({
  month: monthName,
  csv: z.boolean().default(false),
});

async function statement(given: Given, { catalogue: { db, clock } }: CommandContext): Promise<Outcome> {
  const { month, csv } = parseInput(asked, given);
  const publisherId = optionalTextOf(given, "publisherId");
  const advertiserId = optionalTextOf(given, "advertiserId");
  if (publisherId !== undefined && advertiserId !== undefined) {
    throw new UsageError(["name whose statement it is by --publisher or by --advertiser, not by both"]);
  }
  const told = monthAt(month, clock());
  const asking = { db, csv, told };
  if (advertiserId !== undefined) return ofAdvertiser(advertiserId, asking);
  return publisherId === undefined ? ofAllPublishers(asking) : ofPublisher(publisherId, asking);
}

type Asking = {
  db: CommandContext["catalogue"]["db"];
  csv: boolean;
  /** What is told of the month in every answer. */
  told: ToldMonth;
};

const ofPublisher = async (publisherId: string, { db, csv, told }: Asking): Promise<Outcome> => {
  await requirePublisher(db, publisherId);
  const read = await readStatement(db, { publisherId, ...told });
  const { publisherId: _, ...rest } = read;
  const answer = { publisherId, ...told, agrees: agrees(read), ...rest };
  return { answer, ...printed(`${publisherId}, ${told.month} (UTC)`, [read], { csv, told, isOfAll: false }) };
};

const ofAllPublishers = async ({ db, csv, told }: Asking): Promise<Outcome> => {
  const statements = await readStatements(db, told);
  const answer = {
    ...{ ...told, agrees: statements.every(agrees) },
    statements: statements.map(({ publisherId, ...rest }) => ({
      publisherId,
      agrees: agrees(rest),
      ...rest,
    })),
    totals: billedInAll(statements.flatMap(({ items }) => items)),
  };
  return {
    answer,
    ...printed(`all publishers, ${told.month} (UTC)`, statements, { csv, told, isOfAll: true }),
  };
};

const agrees = ({ differences }: { differences: readonly unknown[] }): boolean => differences.length === 0;

const printed = (
  head: string,
  statements: readonly Statement[],
  { csv, told, isOfAll }: Omit<Asking, "db"> & { isOfAll: boolean },
) => ({
  text: csv
    ? publisherStatementsCsv(told.month, statements).trimEnd()
    : publishersText(head, statements, { ...told, isOfAll }),
  notes: csv ? [publishersCheck(comparedOf(statements)), finalText(told)] : [],
  differs: !statements.every(agrees),
});

const ofAdvertiser = async (advertiserId: string, { db, csv, told }: Asking): Promise<Outcome> => {
  await requireAdvertiser(db, advertiserId);
  const read = await readAdvertiserStatement(db, { advertiserId, ...told });
  if (read === null) throw new Error(`the advertiser ${advertiserId} was there a moment ago`);
  const { name, currency, payments, ...rest } = read;
  const answer = {
    ...{ advertiserId, name, currency, ...told, agrees: agrees(read) },
    ...{ ...rest, payments: payments.map(({ at, ...one }) => ({ ...one, at: new Date(at).toISOString() })) },
  };
  const head = `${advertiserId} (${name}), ${told.month} (UTC), ${currency ?? "no currency yet"}`;
  return {
    answer,
    text: csv
      ? advertiserStatementCsv({ advertiserId, month: told.month }, read).trimEnd()
      : advertiserText(head, read, told),
    notes: csv ? [advertiserCheck(read), finalText(told)] : [],
    differs: !agrees(read),
  };
};

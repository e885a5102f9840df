import { z } from "zod";
import { csvLine } from "../core/csv-cell.ts";
import { readStatement, type Statement } from "../store/books/statement.ts";
import { parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { requirePublisher } from "../store/catalogue/publishers.ts";
import { type CommandContext, type Given, type Noun, type Outcome, textOf } from "./command.ts";
import { publisherOption } from "./publisher-option.ts";
import { amount, table } from "./table.ts";

export const statementNoun: Noun = {
  name: "statement",
  summary: "What a publisher has earned in a month, by website and currency.",
  commands: [
    {
      verb: "",
      summary: "Print a month's statement out of the ledger; exit code 1 where reports say otherwise.",
      options: [
        { ...publisherOption, required: true },
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
      ],
      run: statement,
    },
  ],
};

const asked = z.object({
  month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, "must be a month such as 2026-11"),
  csv: z.boolean().default(false),
});

async function statement(given: Given, { catalogue }: CommandContext): Promise<Outcome> {
  const { month, csv } = parseInput(asked, given);
  const publisherId = textOf(given, "publisherId");
  await requirePublisher(catalogue.db, publisherId);
  const range = daysOf(month);
  const read = await readStatement(catalogue.db, { publisherId, ...range });
  const agrees = read.differences.length === 0;
  return {
    answer: { publisherId, month, ...range, agrees, ...read },
    text: csv ? csvOf(month, read) : textOfStatement(`${publisherId}, ${month} (UTC)`, read),
    notes: csv ? [checkText(read)] : [],
    differs: !agrees,
  };
}

const daysOf = (month: string): { from: string; to: string } => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return { from: `${month}-01`, to: new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10) };
};

const checkText = ({ lines, differences }: Statement): string =>
  differences.length === 0
    ? `adds up to the ledger: ${lines} lines`
    : `figures on which the ledger and the reports differ: ${differences.length} (ledger lines: ${lines})`;

const textOfStatement = (head: string, read: Statement): string => {
  const cells = (of: Statement["totals"][number]) => [
    of.currency,
    ...[of.billableClicks, of.billedViews].map(String),
    ...[of.spend, of.earnings, of.operatorsPart].map(amount),
  ];
  const titles = [
    ...["WEBSITE", "CURRENCY", "BILLABLE CLICKS", "BILLED VIEWS", "SPEND", "EARNINGS"],
    "OPERATOR'S PART",
  ];
  const rows = [
    ...read.items.map((item) => [item.websiteKey, ...cells(item)]),
    ...read.totals.map((sum) => ["all", ...cells(sum)]),
  ];
  const differing = read.differences.map((one) => [
    one.websiteKey,
    one.currency,
    one.figure,
    String(one.ledger),
    String(one.counters),
  ]);
  return [
    head,
    rows.length === 0 ? "nothing was billed" : table(titles, rows),
    checkText(read),
    ...(differing.length > 0
      ? [table(["WEBSITE", "CURRENCY", "FIGURE", "LEDGER", "REPORTS"], differing)]
      : []),
  ].join("\n");
};

const csvOf = (month: string, { items }: Statement): string => {
  const names = ["billableClicks", "billedViews", "spend", "earnings", "operatorsPart"] as const;
  return [
    csvLine(["month", "websiteKey", "currency", ...names]),
    ...items.map((item) =>
      csvLine([month, item.websiteKey, item.currency, ...names.map((name) => item[name])]),
    ),
  ]
    .join("")
    .trimEnd();
};

import { currencyCode } from "@offers/contract/catalogue";
import { z } from "zod";
import { parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { type ListedCurrency, listCurrencies, setCurrencyRate } from "../store/catalogue/currency-rates.ts";
import type { Noun, Option } from "./command.ts";
import { facts, table } from "./table.ts";

const currency: Option = {
  name: "currency",
  kind: "text",
  field: "currency",
  hint: "C",
  required: true,
  help: "ISO 4217 code of the currency",
};

const rateInput = z.object({
  currency: currencyCode,
  rate: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,12})?$/, "must be a number such as 0.92")
    .transform(Number)
    .refine((rate) => rate > 0, "must be above 0"),
});
const removalInput = z.object({ currency: currencyCode });

/** What an operator should know where some offers can be compared and others can not. */
export function currencyNotes(listed: readonly ListedCurrency[]): readonly string[] {
  if (listed.every(({ rate }) => rate === null)) return [];
  return listed
    .filter(({ rate, offers }) => rate === null && offers > 0)
    .map(({ currency, offers }) => `${currency} has no rate: its offers (${offers}) are ranked last`);
}

export const currencyNoun: Noun = {
  name: "currency",
  summary:
    "What currencies are worth beside one another: offers are ranked by it, and nothing is billed by it.",
  commands: [
    {
      verb: "set",
      summary: "Say what one unit is worth, in any one currency that you choose for all of them.",
      options: [
        currency,
        {
          name: "rate",
          kind: "text",
          field: "rate",
          hint: "R",
          required: true,
          help: "a number such as 0.92",
        },
      ],
      examples: ["currency set --currency EUR --rate 1", "currency set --currency USD --rate 0.92"],
      run: async (given, { catalogue }) => {
        const { currency, rate } = parseInput(rateInput, given);
        const answer = await setCurrencyRate(catalogue, currency, rate);
        return { answer, text: factsOf(answer), notes: currencyNotes(await listCurrencies(catalogue.db)) };
      },
    },
    {
      verb: "remove",
      summary: "Take a rate back. Where others have one, offers in that currency are ranked last.",
      options: [currency],
      examples: ["currency remove --currency USD"],
      run: async (given, { catalogue }) => {
        const answer = await setCurrencyRate(catalogue, parseInput(removalInput, given).currency, null);
        return { answer, text: factsOf(answer), notes: currencyNotes(await listCurrencies(catalogue.db)) };
      },
    },
    {
      verb: "list",
      summary: "Print every currency that has a rate or an offer.",
      options: [],
      examples: ["currency list"],
      run: async (_, { catalogue }) => {
        const answer = await listCurrencies(catalogue.db);
        const rows = answer.map((one) => [
          one.currency,
          one.rate === null ? "-" : String(one.rate),
          String(one.offers),
        ]);
        return { answer, text: table(["CURRENCY", "RATE", "OFFERS"], rows), notes: currencyNotes(answer) };
      },
    },
  ],
};

const factsOf = ({ currency, rate, offers }: ListedCurrency): string =>
  facts({ currency, rate: rate === null ? "-" : String(rate), offers: String(offers) });

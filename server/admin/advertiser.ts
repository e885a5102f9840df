import { adjustmentNote, advertiserInput, depositNote } from "@offers/contract/catalogue";
import { z } from "zod";
import { type AdvertiserBalance, listAdvertisers } from "../store/catalogue/advertiser-rows.ts";
import { createAdvertiser, setAdvertiserCurrency } from "../store/catalogue/advertisers.ts";
import { CatalogueRefusal, parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { adjustAdvertiser, depositToAdvertiser } from "../store/catalogue/payments.ts";
import { type Command, type Given, type Noun, type Option, textOf } from "./command.ts";
import { amount, facts, table } from "./table.ts";

const create: Command = {
  verb: "create",
  mayBegin: true,
  summary: "Save a new advertiser with its first deposit and print its id.",
  options: [
    { name: "name", kind: "text", field: "name", hint: "N", required: true, help: "its name" },
    {
      name: "balance-micros",
      kind: "micros",
      field: "balanceMicros",
      required: true,
      help: "what it pays in now; 0 for nothing yet",
    },
    {
      name: "currency",
      kind: "text",
      field: "currency",
      hint: "C",
      help: "ISO 4217 code of what it pays in, and of all its offers (EUR)",
    },
  ],
  examples: [
    'advertiser create --name "Brightwave Energy Ltd" --balance-micros 250000000',
    'advertiser create --name "Skyhop Inc" --balance-micros 0 --currency USD',
  ],
  run: async (given, { catalogue, now }) => {
    const input = parseInput(advertiserInput, given);
    const advertiserId = await createAdvertiser(catalogue, input, { now });
    const { currency } = input;
    return {
      answer: { advertiserId },
      text: facts({ advertiserId, currency, balance: amount(input.balanceMicros) }),
    };
  },
};

const advertiserOption: Option = {
  name: "advertiser",
  kind: "text",
  field: "advertiserId",
  hint: "A",
  required: true,
  help: "the advertiser's id",
};

const update: Command = {
  verb: "update",
  summary:
    "Say in which currency an advertiser pays that has no offer yet and has none or has paid in nothing, and print its balance.",
  options: [
    advertiserOption,
    {
      name: "currency",
      kind: "text",
      field: "currency",
      hint: "C",
      required: true,
      help: "ISO 4217 code of what it pays in; where none is known yet, it is told even after a deposit",
    },
  ],
  examples: ["advertiser update --advertiser advertiser_brightwave-energy --currency GBP"],
  run: async (given, { catalogue }) =>
    told(await setAdvertiserCurrency(catalogue, textOf(given, "advertiserId"), textOf(given, "currency"))),
};

/** Of a deposit, or an adjustment, of which nobody knows whether it was made. */
const ifDeposited = (does: string): Option => ({
  name: "if-deposited-micros",
  kind: "micros",
  field: "ifDeposited",
  refusedAs: "amount",
  help: `${does} only where all deposits and adjustments so far come to this: so one of which nobody knows whether it was made can be sent again`,
});

const deposit: Command = {
  verb: "deposit",
  summary: "Add to an advertiser's balance and print it.",
  options: [
    advertiserOption,
    { name: "micros", kind: "micros", field: "micros", required: true, help: "what it pays in, at least 1" },
    {
      name: "note",
      kind: "text",
      field: "note",
      hint: "N",
      help: "what the ledger is to say of it, such as the number of an invoice, at most 200 characters",
    },
    ifDeposited("pay in"),
  ],
  examples: [
    "advertiser deposit --advertiser advertiser_brightwave-energy --micros 50000000",
    "advertiser deposit --advertiser advertiser_brightwave-energy --micros 50000000 --note INV-2026-0117",
    "advertiser deposit --advertiser advertiser_brightwave-energy --micros 50000000 --if-deposited-micros 250000000",
  ],
  run: async (given, { catalogue, now }) => {
    const { note } = parseInput(z.object({ note: depositNote.optional() }), given);
    return paid(given, (id, payment) => depositToAdvertiser(catalogue, id, { ...payment, note }, { now }));
  },
};

const adjust: Command = {
  verb: "adjust",
  summary: "Put right what an advertiser has paid in, or take some of it back, and print its balance.",
  options: [
    advertiserOption,
    {
      name: "micros",
      kind: "micros",
      mayBeNegative: true,
      field: "micros",
      required: true,
      help: "what is added or, with a minus, taken away: never more than what is not spent",
    },
    {
      name: "note",
      kind: "text",
      field: "note",
      hint: "N",
      required: true,
      help: "what it is for, as the ledger is to say it, at most 200 characters",
    },
    ifDeposited("adjust"),
  ],
  examples: [
    'advertiser adjust --advertiser advertiser_brightwave-energy --micros -45000000 --note "Deposit of 50 was 5"',
  ],
  run: async (given, { catalogue, now }) => {
    const { note } = parseInput(z.object({ note: adjustmentNote }), given);
    return paid(given, (id, payment) => adjustAdvertiser(catalogue, id, { ...payment, note }, { now }));
  },
};

const paid = async (
  given: Given,
  pay: (
    id: string,
    payment: { micros: number; ifDeposited: number | undefined },
  ) => Promise<AdvertiserBalance>,
) => {
  const id = textOf(given, "advertiserId");
  const ifDeposited = typeof given.ifDeposited === "number" ? given.ifDeposited : undefined;
  const balance = await pay(id, { micros: Number(given.micros), ifDeposited }).catch((error: unknown) => {
    throw withWhereToLook(error, id);
  });
  return told(balance);
};

const told = (balance: AdvertiserBalance) => ({
  answer: balance,
  text: facts({
    advertiserId: balance.advertiserId,
    currency: balance.currency ?? "-",
    deposited: amount(balance.depositedMicros),
    spent: amount(balance.spentMicros),
    balance: amount(balance.balanceMicros),
  }),
});

/** The ledger, at which whoever is refused is to look, is a page of the dashboard. */
const withWhereToLook = (error: unknown, id: string): unknown => {
  if (!(error instanceof CatalogueRefusal)) return error;
  return new CatalogueRefusal(
    error.problems.map(({ field, message }) => ({
      field,
      message:
        field === "amount" ? `${message}, in the dashboard or by: activity list --advertiser ${id}` : message,
    })),
  );
};

const list: Command = {
  verb: "list",
  summary: "Print every advertiser with its balance.",
  options: [],
  examples: ["advertiser list"],
  run: async (_, { catalogue }) => {
    const answer = await listAdvertisers(catalogue.db);
    const rows = answer.map((one) => [
      one.advertiserId,
      one.currency ?? "-",
      amount(one.depositedMicros),
      amount(one.spentMicros),
      amount(one.balanceMicros),
      String(one.offers),
      one.name,
    ]);
    return {
      answer,
      text: table(["ADVERTISER", "CURRENCY", "DEPOSITED", "SPENT", "BALANCE", "OFFERS", "NAME"], rows),
    };
  },
};

export const advertiserNoun: Noun = {
  name: "advertiser",
  summary: "Who pays for offers, out of one balance.",
  commands: [create, update, deposit, adjust, list],
};

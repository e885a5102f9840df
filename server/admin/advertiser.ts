import { advertiserInput } from "@offers/contract/catalogue";
import { createAdvertiser, depositToAdvertiser, listAdvertisers } from "../store/catalogue/advertisers.ts";
import { CatalogueRefusal, parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { type Command, type Noun, textOf } from "./command.ts";
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
  ],
  examples: ['advertiser create --name "Brightwave Energy Ltd" --balance-micros 250000000'],
  run: async (given, { catalogue, now }) => {
    const input = parseInput(advertiserInput, given);
    const advertiserId = await createAdvertiser(catalogue, input, { now });
    return {
      answer: { advertiserId },
      text: facts({ advertiserId, balance: amount(input.balanceMicros) }),
    };
  },
};

const deposit: Command = {
  verb: "deposit",
  summary: "Add to an advertiser's balance and print it.",
  options: [
    {
      name: "advertiser",
      kind: "text",
      field: "advertiserId",
      hint: "A",
      required: true,
      help: "the advertiser's id",
    },
    { name: "micros", kind: "micros", field: "micros", required: true, help: "what it pays in, at least 1" },
    {
      name: "if-deposited-micros",
      kind: "micros",
      field: "ifDeposited",
      refusedAs: "amount",
      help: "pay in only where this is the sum of all deposits so far: so a deposit of which nobody knows whether it was made can be sent again",
    },
  ],
  examples: [
    "advertiser deposit --advertiser advertiser_brightwave-energy --micros 50000000",
    "advertiser deposit --advertiser advertiser_brightwave-energy --micros 50000000 --if-deposited-micros 250000000",
  ],
  run: async (given, { catalogue, now }) => {
    const id = textOf(given, "advertiserId");
    const answer = await depositToAdvertiser(catalogue, id, Number(given.micros), {
      now,
      ifDeposited: typeof given.ifDeposited === "number" ? given.ifDeposited : undefined,
    }).catch((error: unknown) => {
      throw withWhereToLook(error, id);
    });
    const { advertiserId, depositedMicros, spentMicros, balanceMicros } = answer;
    return {
      answer,
      text: facts({
        advertiserId,
        deposited: amount(depositedMicros),
        spent: amount(spentMicros),
        balance: amount(balanceMicros),
      }),
    };
  },
};

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
      amount(one.depositedMicros),
      amount(one.spentMicros),
      amount(one.balanceMicros),
      String(one.offers),
      one.name,
    ]);
    return { answer, text: table(["ADVERTISER", "DEPOSITED", "SPENT", "BALANCE", "OFFERS", "NAME"], rows) };
  },
};

export const advertiserNoun: Noun = {
  name: "advertiser",
  summary: "Who pays for offers, out of one balance.",
  commands: [create, deposit, list],
};

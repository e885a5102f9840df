import { type PublisherInput, publisherInput } from "@offers/contract/catalogue";
import { wholeShare } from "../core/revenue-share.ts";
import { parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { createPublisher, listPublishers, updatePublisher } from "../store/catalogue/publishers.ts";
import { changesBeside, type Noun, type Option, textOf } from "./command.ts";
import { publisherOption as publisher } from "./publisher-option.ts";
import { facts, table } from "./table.ts";
import { withoutVersion } from "./without-version.ts";

const name: Option = { name: "name", kind: "text", field: "name", hint: "N", help: "its name" };
const settingOptions: readonly Option[] = [
  {
    name: "share-basis-points",
    kind: "count",
    field: "shareBasisPoints",
    hint: "N",
    help: "what it earns of each price that is billed from now on, 0 to 10000 for all of it (10000); a website may have another",
  },
  {
    name: "show-spend",
    negative: "hide-spend",
    kind: "flag",
    field: "showSpend",
    help: "whether its reports tell what advertisers pay (yes)",
  },
];

export const publisherNoun: Noun = {
  name: "publisher",
  summary: "Who publishes websites.",
  commands: [
    {
      verb: "create",
      mayBegin: true,
      summary: "Save a new publisher and print its id and public key.",
      options: [{ ...name, required: true }, ...settingOptions],
      examples: [
        'publisher create --name "Northwind Journal"',
        'publisher create --name "Northwind Journal" --share-basis-points 7000 --hide-spend',
      ],
      run: async (given, { catalogue, now }) => {
        const input = parseInput(publisherInput, given);
        const keys = await createPublisher(catalogue, input, { now });
        return { answer: keys, text: facts(keys), notes: notesOn(input) };
      },
    },
    {
      verb: "update",
      summary: "Change what is given, leave the rest.",
      options: [{ ...publisher, required: true }, name, ...settingOptions],
      examples: [
        'publisher update --publisher publisher_northwind --name "Northwind Media"',
        "publisher update --publisher publisher_northwind --share-basis-points 7000",
      ],
      run: async (given, { catalogue }) => {
        const patch = changesBeside(given, "publisherId");
        const publisherId = textOf(given, "publisherId");
        const input = await updatePublisher(catalogue, publisherId, patch);
        return { answer: { publisherId }, text: facts({ publisherId }), notes: notesOn(input) };
      },
    },
    {
      verb: "list",
      summary: "Print every publisher.",
      options: [],
      examples: ["publisher list --json"],
      run: async (_, { catalogue }) => {
        const answer = (await listPublishers(catalogue.db)).map(withoutVersion);
        const rows = answer.map((one) => [
          one.publisherId,
          one.publicKey,
          String(one.websites),
          `${(one.shareBasisPoints / 100).toFixed(2)} %`,
          one.showSpend ? "shown" : "hidden",
          one.name,
        ]);
        return {
          answer,
          text: table(["PUBLISHER", "PUBLIC KEY", "WEBSITES", "SHARE", "SPEND", "NAME"], rows),
        };
      },
    },
  ],
};

/** Whoever earns all of it is told it by the earnings. */
const notesOn = ({ showSpend, shareBasisPoints }: PublisherInput): string[] =>
  showSpend || shareBasisPoints < wholeShare
    ? []
    : ["the share is all of each price, so the earnings tell what advertisers pay all the same"];

import { publisherInput } from "@offers/contract/catalogue";
import { parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { createPublisher, listPublishers, updatePublisher } from "../store/catalogue/publishers.ts";
import { changesBeside, type Noun, type Option, textOf } from "./command.ts";
import { facts, table } from "./table.ts";

const publisher: Option = {
  name: "publisher",
  kind: "text",
  field: "publisherId",
  hint: "P",
  required: true,
  help: "the publisher's id",
};
const name: Option = {
  name: "name",
  kind: "text",
  field: "name",
  hint: "N",
  required: true,
  help: "its name",
};

export const publisherNoun: Noun = {
  name: "publisher",
  summary: "Who publishes websites.",
  commands: [
    {
      verb: "create",
      summary: "Save a new publisher and print its id and public key.",
      options: [name],
      examples: ['publisher create --name "Northwind Journal"'],
      run: async (given, { catalogue, now }) => {
        const keys = await createPublisher(catalogue, parseInput(publisherInput, given), { now });
        return { answer: keys, text: facts(keys) };
      },
    },
    {
      verb: "update",
      summary: "Give a publisher another name.",
      options: [publisher, name],
      examples: ['publisher update --publisher publisher_northwind --name "Northwind Media"'],
      run: async (given, { catalogue }) => {
        const patch = changesBeside(given, "publisherId");
        const publisherId = textOf(given, "publisherId");
        await updatePublisher(catalogue, publisherId, patch);
        return { answer: { publisherId }, text: facts({ publisherId }) };
      },
    },
    {
      verb: "list",
      summary: "Print every publisher.",
      options: [],
      examples: ["publisher list --json"],
      run: async (_, { catalogue }) => {
        const answer = await listPublishers(catalogue.db);
        const rows = answer.map((one) => [one.publisherId, one.publicKey, String(one.websites), one.name]);
        return { answer, text: table(["PUBLISHER", "PUBLIC KEY", "WEBSITES", "NAME"], rows) };
      },
    },
  ],
};

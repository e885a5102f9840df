import { resolve } from "node:path";
import { offerFileNotes } from "../core/offer-file-notes.ts";
import { checkOffers, importOffers } from "../store/catalogue/offer-import.ts";
import { listOffers } from "../store/catalogue/offers.ts";
import { type Command, type Option, optionalTextOf, textOf } from "./command.ts";
import { printedOffers, readOfferFile, writeOfferFile } from "./offer-file.ts";
import { facts, table } from "./table.ts";

const file: Option = {
  name: "file",
  kind: "text",
  field: "file",
  hint: "F",
  required: true,
  help: "a name that ends in .json is a JSON list, any other CSV with a header",
};

/** Saves a file of offers whole, or names every line that keeps it from being saved. */
export const importCommand: Command = {
  verb: "import",
  summary:
    "Save every offer of a file, or none. A line with an offerId is that offer, one without a new one. What the file has no column for stays in a known offer as it is; an empty cell is none. At most 10,000 offers are written at once.",
  options: [
    file,
    {
      name: "check",
      kind: "flag",
      field: "isCheck",
      help: "save nothing: tell what importing would do, and what keeps it from being done",
    },
  ],
  examples: [
    "offer import --file offers.csv --check",
    "offer import --file offers.csv",
    "offer import --file offers.json --json",
  ],
  run: async (given, { catalogue, now, rules }) => {
    const offers = readOfferFile(resolve(textOf(given, "file")));
    const isCheck = given.isCheck === true;
    const take = isCheck ? checkOffers : importOffers;
    const outcome = await take(catalogue, offers, { now, rules });
    if (outcome.ok) {
      const { created, updated, alike } = outcome;
      const notes = offerFileNotes(offers, alike);
      if (isCheck) {
        const answer = { imported: 0, wouldCreate: created, wouldUpdate: updated, alike };
        return { answer, text: facts({ "would create": created, "would update": updated }), notes };
      }
      const answer = { imported: created + updated, created, updated };
      return { answer, text: facts({ created, updated }), notes };
    }
    const { problems } = outcome;
    const lines = new Set(problems.map(({ line }) => line)).size;
    const rows = problems.map(({ line, column, message }) => [String(line), column || "-", message]);
    return {
      answer: { imported: 0, problems },
      text: `nothing was imported; lines that cannot be saved: ${lines}\n${table(["LINE", "COLUMN", "WHAT IS WRONG"], rows)}`,
      refused: true,
    };
  },
};

/** Writes offers to a file that importing takes back. */
export const exportCommand: Command = {
  verb: "export",
  summary: "Write every offer, or those of one advertiser, to a file that import takes back.",
  options: [
    {
      ...file,
      mayBeDash: true,
      help: `${file.help}; - is the standard output: CSV, with --json the list`,
    },
    { name: "advertiser", kind: "text", field: "advertiserId", hint: "A", help: "the advertiser's id" },
  ],
  examples: [
    "offer export --file offers.csv",
    "offer export --file offers.json --advertiser advertiser_skyhop",
    "offer export --file - --json",
  ],
  run: async (given, { catalogue }) => {
    const advertiserId = optionalTextOf(given, "advertiserId");
    const offers = await listOffers(catalogue.db, advertiserId === undefined ? {} : { advertiserId });
    if (textOf(given, "file") === "-") return printedOffers(offers);
    const name = resolve(textOf(given, "file"));
    writeOfferFile(name, offers);
    const answer = { file: name, offers: offers.length };
    return { answer, text: facts(answer) };
  },
};

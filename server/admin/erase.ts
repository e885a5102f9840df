import { explainQuery } from "@offers/contract/explain";
import { requestLifetimes } from "@offers/contract/words";
import { factKeyOf } from "../core/fact.ts";
import { requestIdBytes, requestKeyIn } from "../core/request-id.ts";
import { requestTimeOf } from "../core/request-key.ts";
import { readRequestStory } from "../store/books/request-story.ts";
import type { Erased, OpenCatalogue } from "../store/catalogue/catalogue-handle.ts";
import { CatalogueRefusal, parseInput } from "../store/catalogue/catalogue-refusal.ts";
import { eraseVisits } from "../store/catalogue/erase-visits.ts";
import { requireEverWebsite } from "../store/catalogue/websites.ts";
import {
  type CommandContext,
  type Given,
  type Noun,
  type Option,
  type Outcome,
  optionalTextOf,
  UsageError,
} from "./command.ts";
import { facts } from "./table.ts";

const one = (name: string, field: string, hint: string, help: string): Option => ({
  name,
  kind: "text",
  field,
  hint,
  help,
});

export const eraseNoun: Noun = {
  name: "erase",
  summary: "Deletes what is stored of a visit, or of all visits of a website.",
  commands: [
    {
      verb: "",
      summary:
        "Delete the events, decline sessions, pings and traces of refused calls of a request or of a website, while the service runs. It cannot be undone. Figures and money stay as they are, and so does the website.",
      options: [
        one("request", "requestId", "req_…", "the requestId of a decision"),
        one("event", "eventId", "evt_…", "or the id of one of its events"),
        one("click", "clickId", "ID", "or the {click_id} that the advertiser was told"),
        one(
          "website",
          "websiteKey",
          "ws_…",
          "or a website, of which everything is deleted that was stored until now",
        ),
        { name: "yes", kind: "flag", field: "yes", help: "really delete; without it nothing is done" },
      ],
      examples: ["erase --request req_… --yes", "erase --website ws_journal --yes --json"],
      // A few hundred rows are one transaction, so that a service beside it goes on.
      afterTrouble: "what was deleted until then stays deleted, so run it once more for the rest",
      run: erase,
    },
  ],
};

const names = ["requestId", "eventId", "clickId", "websiteKey"] as const;

async function erase(given: Given, { catalogue, now }: CommandContext): Promise<Outcome> {
  if (names.filter((name) => given[name] !== undefined).length !== 1) {
    throw new UsageError(["name one thing: by --request, --event, --click or --website"]);
  }
  const websiteKey = optionalTextOf(given, "websiteKey");
  const target =
    websiteKey === undefined
      ? await requestOf(given, catalogue)
      : { websiteKey: (await requireEverWebsite(catalogue.db, websiteKey)).websiteKey };
  if (given.yes !== true)
    throw new UsageError(["this cannot be undone: add --yes to do it; nothing was deleted"]);
  // Only the server's own programs back up what several nodes share.
  const later = catalogue.backUp === null ? [ofSpools] : [];
  if ("websiteKey" in target) {
    const erased = await eraseVisits(catalogue, target);
    return told(target, erased, [
      "what its pages and servers report from now on is stored as ever",
      ...later,
    ]);
  }
  const { request } = target;
  const endsAt = requestTimeOf(request) + requestLifetimes.eventsSeconds * 1000;
  return told(target, await eraseVisits(catalogue, target), [
    endsAt > now
      ? `what its page reports until ${new Date(endsAt).toISOString()} is stored anew; erase it again after that`
      : "whoever still follows one of its links, or has its page open, leaves a row that counts nothing; erase it again if so",
    ...later,
  ]);
}

/** What a node keeps on its own disk no other program may open. */
const ofSpools =
  "visits that a node still keeps on its own disk are stored later: where one has logged spool_filling or spool_found, and not " +
  "spool_empty since, erase again after that";

const told = (target: object, erased: Erased, notes: readonly string[]): Outcome => {
  const answer = { ...target, ...erased };
  return { answer, text: facts(answer), notes };
};

/** The key of the request that is meant. A requestId tells it by itself, in whatever secret it was sealed. */
const requestOf = async (given: Given, catalogue: OpenCatalogue): Promise<{ request: string }> => {
  const { yes: _, ...rest } = given;
  const { requestId, eventId, clickId } = parseInput(explainQuery, rest);
  if (requestId !== undefined) {
    const bytes = requestIdBytes(requestId);
    if (bytes !== null) return { request: requestKeyIn(bytes) };
  }
  const key = eventId === undefined ? null : factKeyOf(eventId);
  if (key !== null) return { request: key.request };
  const story = clickId === undefined ? null : await readRequestStory(catalogue.db, { by: "click", clickId });
  if (story !== null) return { request: story.request };
  const field = names.find((name) => given[name] !== undefined) ?? "requestId";
  throw new CatalogueRefusal([{ field, message: "is none of which anything is stored" }]);
};

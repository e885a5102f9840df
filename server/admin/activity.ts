import { type Activity, type ActivityFilter, listActivity } from "../store/catalogue/activity.ts";
import { requireAdvertiser } from "../store/catalogue/advertiser-rows.ts";
import { requireOffer } from "../store/catalogue/offers.ts";
import { requirePublisher } from "../store/catalogue/publishers.ts";
import { requireEverWebsite } from "../store/catalogue/websites.ts";
import { type CommandContext, type Given, type Noun, optionalTextOf, UsageError } from "./command.ts";
import { publisherOption as publisher } from "./publisher-option.ts";
import { table } from "./table.ts";

const usualRows = 50;
const mostRows = 1000;
/** A line is read, not a text: longer values and lines are cut, and whole with --json. */
const mostCharacters = 60;
const mostInLine = 200;

export const activityNoun: Noun = {
  name: "activity",
  summary: "Who changed what, and when.",
  commands: [
    {
      verb: "list",
      summary:
        "Print the newest changes, newest first: all of them, a publisher's, or those of one website, offer or advertiser.",
      options: [
        publisher,
        { name: "website", kind: "text", field: "websiteKey", hint: "W", help: "the website's key" },
        {
          name: "offer",
          kind: "text",
          field: "offerId",
          hint: "O",
          help: "the offer's id; a file that was imported is told as a whole, and not here",
        },
        { name: "advertiser", kind: "text", field: "advertiserId", hint: "A", help: "the advertiser's id" },
        {
          name: "limit",
          kind: "count",
          field: "limit",
          least: 1,
          most: mostRows,
          help: `how many at the most (${usualRows}; ${mostRows} is the most)`,
        },
        {
          name: "before",
          kind: "count",
          field: "before",
          least: 1,
          hint: "ID",
          help: "those that were made before this one, to read on where a list has ended",
        },
      ],
      examples: [
        "activity list",
        "activity list --publisher publisher_northwind --limit 200",
        "activity list --website ws_journal --json",
        "activity list --before 4711 --limit 1000",
      ],
      run: async (given, { catalogue }) => {
        const { db } = catalogue;
        const publisherId = optionalTextOf(given, "publisherId");
        if (publisherId !== undefined) await requirePublisher(db, publisherId);
        const limit = typeof given.limit === "number" ? given.limit : usualRows;
        const read = await listActivity(db, {
          publisherId,
          subject: await subjectOf(given, catalogue),
          before: typeof given.before === "number" ? given.before : undefined,
          limit: limit + 1,
        });
        const answer = read.slice(0, limit);
        const next = read.length > limit ? answer.at(-1) : undefined;
        return {
          answer,
          text: table(["ID", "AT", "WHO", "DID", "WHAT", "NAME", "CHANGES"], answer.map(rowOf)),
          notes: next ? [`there are older ones: go on with --before ${next.id}`] : [],
        };
      },
    },
  ],
};

/** The one thing whose changes are asked for; throws a CatalogueRefusal for one that never was. */
const subjectOf = async (
  given: Given,
  { db }: CommandContext["catalogue"],
): Promise<ActivityFilter["subject"]> => {
  const asked = subjects.flatMap(({ kind, field, require }) => {
    const id = optionalTextOf(given, field);
    return id === undefined ? [] : [{ kind, id, require }];
  });
  if (asked.length > 1) throw new UsageError(["name one thing: by --website, --offer or --advertiser"]);
  const [one] = asked;
  if (one === undefined) return undefined;
  await one.require(db, one.id);
  return { kind: one.kind, id: one.id };
};

const subjects = [
  { kind: "website", field: "websiteKey", require: requireEverWebsite },
  { kind: "offer", field: "offerId", require: requireOffer },
  { kind: "advertiser", field: "advertiserId", require: requireAdvertiser },
] as const;

const rowOf = ({ id, at, actor, action, subject, before, after }: Activity): string[] => [
  String(id),
  `${new Date(at).toISOString().slice(0, 19)}Z`,
  `${shortened(actor.name)} (${actor.kind.replaceAll("_", " ")})`,
  action.replaceAll("_", " "),
  subject.kind.replaceAll("_", " "),
  shortened(subject.name || "-"),
  shortened(changesOf(before, after), mostInLine),
];

/** What changed, member by member: `settings.theme "auto" → "dark"`. Of what is new all is new, and none is printed. */
const changesOf = (before: Activity["before"], after: Activity["after"]): string => {
  const [was, is] = [before && membersOf(before), after && membersOf(after)];
  if (was === null || is === null) return is === null ? "-" : [...is].map(pairText).join("; ");
  const names = new Set([...was.keys(), ...is.keys()]);
  return [...names].map((name) => `${name} ${was.get(name) ?? "-"} → ${is.get(name) ?? "-"}`).join("; ");
};

const pairText = ([name, value]: [string, string]): string => `${name} ${value}`;

/** Each value by its path, as text. */
const membersOf = (members: object, path = ""): Map<string, string> =>
  new Map(
    Object.entries(members).flatMap(([name, value]): [string, string][] =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? [...membersOf(value, `${path}${name}.`)]
        : [[path + name, shortened(JSON.stringify(value))]],
    ),
  );

const shortened = (text: string, most = mostCharacters): string =>
  text.length <= most ? text : `${text.slice(0, most - 1)}…`;

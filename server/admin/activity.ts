import { type Activity, listActivity } from "../store/catalogue/activity.ts";
import { requirePublisher } from "../store/catalogue/publishers.ts";
import { requireEverWebsite } from "../store/catalogue/websites.ts";
import { type Given, type Noun, optionalTextOf } from "./command.ts";
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
      summary: "Print the newest changes, newest first: all of them, a publisher's, or a website's.",
      options: [
        publisher,
        { name: "website", kind: "text", field: "websiteKey", hint: "W", help: "the website's key" },
        {
          name: "limit",
          kind: "count",
          field: "limit",
          help: `how many at the most (${usualRows}; ${mostRows} is the most)`,
        },
      ],
      examples: [
        "activity list",
        "activity list --publisher publisher_northwind --limit 200",
        "activity list --website ws_journal --json",
      ],
      run: async (given, { catalogue: { db } }) => {
        const publisherId = optionalTextOf(given, "publisherId");
        if (publisherId !== undefined) await requirePublisher(db, publisherId);
        const websiteKey = optionalTextOf(given, "websiteKey");
        if (websiteKey !== undefined) await requireEverWebsite(db, websiteKey);
        const answer = await listActivity(db, {
          publisherId,
          subject: websiteKey === undefined ? undefined : { kind: "website", id: websiteKey },
          limit: limitOf(given),
        });
        return { answer, text: table(["AT", "WHO", "DID", "WHAT", "NAME", "CHANGES"], answer.map(rowOf)) };
      },
    },
  ],
};

const limitOf = ({ limit }: Given): number =>
  typeof limit === "number" ? Math.min(Math.max(limit, 1), mostRows) : usualRows;

const rowOf = ({ at, actor, action, subject, before, after }: Activity): string[] => [
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

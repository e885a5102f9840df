import { resolve } from "node:path";
import { dataAgeDays, oldDataWarning } from "../core/data-age.ts";
import {
  type CurrentGeo,
  databaseVersion,
  type GeoFiles,
  liesOnBundled,
  openCurrentGeo,
} from "../geo/geo-files.ts";
import { mergeDatabase } from "../geo/merge-database.ts";
import { UnusableLocationData } from "../geo/open-geo.ts";
import { placesIn } from "../geo/ranges.ts";
import { CannotWrite } from "../replace-file.ts";
import { CatalogueRefusal } from "../store/catalogue/catalogue-refusal.ts";
import { addressesOf, addressesOption } from "./addresses-option.ts";
import { type Command, type Noun, textOf } from "./command.ts";
import { facts, table } from "./table.ts";
import { unwritten } from "./unwritten.ts";

const status: Command = {
  verb: "status",
  summary: "Tell which location data answers, of which day it is, and how much it is.",
  options: [],
  examples: ["geo status", "geo status --json"],
  runAlone: async (_, { geoFiles, now }) => {
    const current = openCurrentGeo(geoFiles);
    return described(current, now, [
      ...(await refusal(current, geoFiles)),
      ...otherRelease(current, geoFiles),
    ]);
  },
};

const check: Command = {
  verb: "check",
  summary: "Tell where addresses are, and what each data set says; the first that knows the country answers.",
  options: [addressesOption],
  examples: ["geo check 8.8.8.8 2607:fb91:1::1", "geo check --address 8.8.8.8 --json"],
  runAlone: async (given, { geoFiles }) => {
    const addresses = addressesOf(given);
    const current = openCurrentGeo(geoFiles);
    const { geo } = current;
    const sources = geo.sources().map(({ name }) => name);
    const answer = addresses.map((address) => {
      const { located, dataSet } = geo.find(address);
      const { country, region, source } = located;
      const said = geo.said(address);
      return {
        address,
        country,
        region,
        source: source === "none" ? null : dataSet.name,
        sources: sources.map((name, index) => ({ source: name, says: said[index] || null })),
      };
    });
    const rows = answer.map(({ address, country, region, sources: each }) => [
      address,
      region === "" ? country : `${country}-${region}`,
      ...each.map(({ says }) => says ?? "-"),
    ]);
    return {
      answer,
      text: table(["ADDRESS", "PLACE", ...sources], rows),
      notes: await refusal(current, geoFiles),
    };
  },
};

const update: Command = {
  verb: "update",
  summary:
    "Put a location database (.mmdb) in the first place; a running service takes it within two seconds.",
  options: [
    {
      name: "file",
      kind: "text",
      field: "file",
      hint: "F",
      required: true,
      help: "GeoIP2, GeoLite2, DB-IP, IPinfo or IP2Location in MaxMind's format",
    },
  ],
  examples: ["geo update --file GeoLite2-City.mmdb"],
  runAlone: async (given, { geoFiles, now }) => {
    const refuse = (message: string) => new CatalogueRefusal([{ field: "file", message }]);
    if (geoFiles.database !== null) {
      const { file } = geoFiles.database;
      throw refuse(`GEO_DATABASE names the database to use: replace ${file}, and a running service takes it`);
    }
    const file = resolve(textOf(given, "file"));
    try {
      const geo = await mergeDatabase(file, geoFiles.updated);
      return described({ file: geoFiles.updated, geo }, now);
    } catch (error) {
      if (error instanceof CannotWrite) throw unwritten(error);
      // That of the service itself, on which every database is laid.
      if (error instanceof UnusableLocationData) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw refuse(`${file} cannot be used, and nothing was changed: ${reason}`);
    }
  },
};

export const geoNoun: Noun = {
  name: "geo",
  summary: "The data by which visitors are located.",
  commands: [status, check, update],
};

/** That a file cannot be used, or is not in use, and what answers in its place. */
async function refusal({ geo, refused }: CurrentGeo, { database }: GeoFiles): Promise<string[]> {
  // What the setting names is merged anew.
  const next = database === null ? ", and one that starts takes what it comes with" : "";
  if (refused !== null) return [`${refused}. A running service goes on with the data that it had${next}.`];
  if (database === null) return [];
  const version = await databaseVersion(database.file).catch((error: NodeJS.ErrnoException) => error);
  if (version === geo.sources()[0]?.version) return [];
  const named = `GEO_DATABASE names ${database.file}`;
  if (typeof version !== "string")
    return [`${named}, which cannot be read (${version.code ?? version.message}).`];
  return [
    `${named}, which is not what was merged last: a running service takes it within seconds, or says in its log why it ` +
      "cannot be used (location_data_refused).",
  ];
}

/** A database of the setting is merged again by itself; of an update's nothing is left but what it was merged into. */
function otherRelease({ file, geo }: CurrentGeo, files: GeoFiles): string[] {
  if (file !== files.updated || liesOnBundled(geo, files)) return [];
  return [
    `What your database does not know is told by the data of another release: give \`geo update\` again, or delete ${file}.`,
  ];
}

function described(
  { file, geo }: Pick<CurrentGeo, "file" | "geo">,
  now: number,
  warnings: readonly string[] = [],
): { answer: object; text: string; notes: readonly string[] } {
  const { v4, v6 } = geo.ranges;
  const sources = geo.ranges.sources.map((source) => ({ ...source, ageDays: dataAgeDays(source.date, now) }));
  const size = { ipv4Ranges: v4.starts.length, ipv6Ranges: v6.high.length, places: placesIn(geo.ranges) - 1 };
  const rows = sources.map(({ name, date, ageDays, hasRegions, version }) => [
    name,
    date,
    `${ageDays} days`,
    hasRegions ? "countries, regions" : "countries",
    version,
  ]);
  const notes = [...warnings, oldDataWarning(geo.sources()[0], now) ?? []].flat();
  return {
    answer: { file, sources, ...size, warning: notes.join(" ") || null },
    text: `${facts({ file, ...size })}\n\n${table(["SOURCE", "OF", "AGE", "TELLS", "VERSION"], rows)}`,
    notes,
  };
}

import { mostKeyDays, mostOverlapHours, usualOverlapHours } from "@offers/contract/dash/keys";
import { scopes } from "@offers/contract/words";
import { dayMs, hourMs } from "../core/utc-day.ts";
import {
  createApiKey,
  type ListedApiKey,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from "../store/catalogue/api-keys.ts";
import { type Command, type Noun, type Option, optionalTextOf, textOf } from "./command.ts";
import { notesOfRevoked } from "./notes-of-revoked.ts";
import { publisherOption as publisher } from "./publisher-option.ts";
import { scopesOf } from "./scopes-of.ts";
import { dayOf, facts, table } from "./table.ts";

const shownOnce = "keep it now: it cannot be shown again";

const keyId: Option = {
  name: "key-id",
  kind: "text",
  field: "keyId",
  hint: "K",
  required: true,
  help: "the key's id, as list prints it",
};

const create: Command = {
  verb: "create",
  summary: "Issue a key to a publisher and print it, this once: only its hash is kept.",
  options: [
    { ...publisher, required: true },
    {
      name: "website",
      kind: "text",
      field: "websiteKey",
      hint: "W",
      help: "the one website of the publisher that it is good for (all of them)",
    },
    { name: "name", kind: "text", field: "name", hint: "N", help: "what will use it (no name)" },
    { name: "scopes", kind: "list", field: "scopes", hint: "S", help: `${scopes.join(", ")} (all)` },
    {
      name: "days",
      kind: "count",
      field: "days",
      least: 1,
      most: mostKeyDays,
      help: `how many days it is good for, ${mostKeyDays} at the most (no end)`,
    },
  ],
  examples: [
    "key create --publisher publisher_northwind",
    "key create --publisher publisher_northwind --website ws_journal",
    "key create --publisher publisher_northwind --scopes reports:read,offers:read --days 90",
  ],
  run: async (given, { catalogue, now }) => {
    const { key, keyId: id } = await createApiKey(
      catalogue,
      {
        publisherId: textOf(given, "publisherId"),
        websiteKey: optionalTextOf(given, "websiteKey") ?? null,
        scopes: scopesOf(given),
        name: optionalTextOf(given, "name") ?? "",
        expiresAt: typeof given.days === "number" ? now + given.days * dayMs : null,
      },
      now,
    );
    return { answer: { key, keyId: id }, text: facts({ key, keyId: id }), notes: [shownOnce] };
  },
};

const rotate: Command = {
  verb: "rotate",
  summary: "Issue a second key like this one and let this one end later: nobody is locked out meanwhile.",
  options: [
    keyId,
    {
      name: "overlap-hours",
      kind: "count",
      field: "overlapHours",
      most: mostOverlapHours,
      help: `how long the old one stays good, ${mostOverlapHours} at the most (${usualOverlapHours})`,
    },
  ],
  examples: ["key rotate --key-id 4fG7hJkLmN2p --overlap-hours 48"],
  run: async (given, { catalogue, now }) => {
    const hours = typeof given.overlapHours === "number" ? given.overlapHours : usualOverlapHours;
    const oldKeyId = textOf(given, "keyId");
    const {
      key,
      keyId: id,
      oldKeyExpiresAt,
    } = await rotateApiKey(catalogue, oldKeyId, { overlapMs: hours * hourMs, now });
    return {
      answer: { key, keyId: id, oldKeyId, oldKeyExpiresAt },
      text: facts({ key, keyId: id, "old key ends": new Date(oldKeyExpiresAt).toISOString() }),
      notes: [shownOnce],
    };
  },
};

const revoke: Command = {
  verb: "revoke",
  summary: "End a key for good. A running service refuses it within seconds.",
  options: [keyId],
  examples: ["key revoke --key-id 4fG7hJkLmN2p"],
  run: async (given, { catalogue, now }) => {
    const answer = await revokeApiKey(catalogue, textOf(given, "keyId"), now);
    return {
      answer,
      text: facts({ keyId: answer.keyId, revoked: new Date(answer.revokedAt).toISOString() }),
      notes: notesOfRevoked(answer.revokedAt, now),
    };
  },
};

const list: Command = {
  verb: "list",
  summary: "Print every key, or those of one publisher, by name, beginning and last four characters.",
  options: [publisher],
  examples: ["key list", "key list --publisher publisher_northwind --json"],
  run: async (given, { catalogue, now }) => {
    const owner = optionalTextOf(given, "publisherId");
    const answer = await listApiKeys(catalogue.db, owner === undefined ? {} : { publisherId: owner });
    const rows = answer.map((one) => [
      one.keyId,
      stateOf(one, now),
      one.publisherId,
      one.websiteKey ?? "all",
      `${one.prefix}…${one.lastFour}`,
      dayOf(one.createdAt),
      dayOf(one.expiresAt),
      dayOf(one.lastUsedAt),
      one.scopes.length === scopes.length ? "all" : one.scopes.join(","),
      one.madeBy ?? "-",
      one.name || "-",
    ]);
    const titles = [
      "KEY",
      "STATE",
      "PUBLISHER",
      "WEBSITE",
      "LOOKS LIKE",
      "MADE",
      "ENDS",
      "LAST USED",
      "SCOPES",
      "MADE BY",
      "NAME",
    ];
    return { answer, text: table(titles, rows) };
  },
};

const stateOf = ({ revokedAt, expiresAt }: ListedApiKey, now: number): string => {
  if (revokedAt !== null) return "revoked";
  return expiresAt !== null && expiresAt <= now ? "expired" : "live";
};

export const keyNoun: Noun = {
  name: "key",
  summary: "Keys with which publishers' servers call the service.",
  commands: [create, rotate, revoke, list],
};

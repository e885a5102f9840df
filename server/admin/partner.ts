import { mostOverlapHours, usualOverlapHours } from "@offers/contract/dash/keys";
import { applicationTypes } from "@offers/contract/oauth";
import { scopes } from "@offers/contract/words";
import { hourMs } from "../core/utc-day.ts";
import {
  createPartner,
  type ListedPartner,
  listPartners,
  retirePartnerSecrets,
  revokePartner,
  rotatePartnerSecret,
} from "../store/catalogue/oauth-clients.ts";
import { type Command, type Noun, type Option, textOf } from "./command.ts";
import { notesOfRevoked } from "./notes-of-revoked.ts";
import { scopesOf } from "./scopes-of.ts";
import { dayOf, facts, table } from "./table.ts";

const shownOnce = "keep the secret now: it cannot be shown again";

const create: Command = {
  verb: "create",
  mayBegin: true,
  summary: "Register a partner's application, which people can then connect to their publishers.",
  options: [
    {
      name: "name",
      kind: "text",
      field: "name",
      hint: "N",
      required: true,
      help: "what people know the partner by; they are asked under this name",
    },
    {
      name: "redirect-uri",
      kind: "text",
      field: "redirectUris",
      hint: "U",
      required: true,
      repeatable: true,
      help: "where people are sent back to: https, or http on a loopback host",
    },
    {
      name: "public",
      kind: "flag",
      field: "isPublic",
      help: "without a secret, for an application on its users' machines",
    },
    {
      name: "native",
      kind: "flag",
      field: "isNative",
      help: "takes a loopback redirect address at any port; else every byte of it counts",
    },
    {
      name: "scopes",
      kind: "list",
      field: "scopes",
      hint: "S",
      help: `what it may ask for: ${scopes.join(", ")} (all)`,
    },
  ],
  examples: [
    'partner create --name "Reports & Co" --redirect-uri https://reports.example/callback --scopes reports:read',
    "partner create --name Terminal --redirect-uri http://127.0.0.1/callback --public --native",
  ],
  run: async (given, { catalogue, now }) => {
    const { redirectUris } = given;
    const { clientId, clientSecret } = await createPartner(
      catalogue,
      {
        name: textOf(given, "name"),
        redirectUris: Array.isArray(redirectUris) ? redirectUris : [],
        applicationType: applicationTypes[given.isNative === true ? 1 : 0],
        isPublic: given.isPublic === true,
        scopes: scopesOf(given),
      },
      now,
    );
    const answer = { clientId, ...(clientSecret !== null && { clientSecret }) };
    return { answer, text: facts(answer), ...(clientSecret !== null && { notes: [shownOnce] }) };
  },
};

const clientId: Option = {
  name: "client-id",
  kind: "text",
  field: "clientId",
  hint: "C",
  required: true,
  help: "the application's id, as list prints it",
};

const rotate: Command = {
  verb: "rotate",
  summary:
    "Give an application another secret and let the one of before end later; people's connections stay as they are.",
  options: [
    clientId,
    {
      name: "overlap-hours",
      kind: "count",
      field: "overlapHours",
      most: mostOverlapHours,
      help: `how long the old secret stays good, ${mostOverlapHours} at the most (${usualOverlapHours}); 0 ends it and all before it at once`,
    },
  ],
  examples: ["partner rotate --client-id client_3q2-7wEjRWeJq83vASNFZw --overlap-hours 48"],
  run: async (given, { catalogue, now }) => {
    const hours = typeof given.overlapHours === "number" ? given.overlapHours : usualOverlapHours;
    const answer = await rotatePartnerSecret(catalogue, textOf(given, "clientId"), {
      overlapMs: hours * hourMs,
      now,
    });
    const { oldSecretExpiresAt, ...issued } = answer;
    return {
      answer,
      text: facts({ ...issued, "old secret ends": new Date(oldSecretExpiresAt).toISOString() }),
      notes: [shownOnce],
    };
  },
};

const retire: Command = {
  verb: "retire",
  summary: "End every secret that was replaced, at once: the partner has changed over to the newest.",
  options: [clientId],
  examples: ["partner retire --client-id client_3q2-7wEjRWeJq83vASNFZw"],
  run: async (given, { catalogue }) => {
    const answer = await retirePartnerSecrets(catalogue, textOf(given, "clientId"));
    return { answer, text: facts({ clientId: answer.clientId, "secrets ended": answer.endedSecrets }) };
  },
};

const revoke: Command = {
  verb: "revoke",
  summary:
    "End an application for good, with everybody's connections to it. A running service follows within seconds.",
  options: [clientId],
  examples: ["partner revoke --client-id client_3q2-7wEjRWeJq83vASNFZw"],
  run: async (given, { catalogue, now }) => {
    const answer = await revokePartner(catalogue, textOf(given, "clientId"), now);
    const { clientId, revokedAt, endedGrants } = answer;
    return {
      answer,
      text: facts({ clientId, revoked: new Date(revokedAt).toISOString(), "connections ended": endedGrants }),
      notes: notesOfRevoked(revokedAt, now),
    };
  },
};

const list: Command = {
  verb: "list",
  summary: "Print every application with how many connections it has.",
  options: [],
  examples: ["partner list", "partner list --json"],
  run: async (_given, { catalogue, now }) => {
    const answer = await listPartners(catalogue.db, now);
    const rows = answer.map((one) => [
      one.clientId,
      one.revokedAt === null ? "live" : "revoked",
      one.name,
      kindOf(one),
      String(one.liveGrants),
      dayOf(one.createdAt),
      one.scopes.length === scopes.length ? "all" : one.scopes.join(","),
      one.redirectUris.join(" "),
    ]);
    const titles = ["CLIENT", "STATE", "NAME", "KIND", "CONNECTIONS", "MADE", "SCOPES", "REDIRECTS TO"];
    return { answer, text: table(titles, rows) };
  },
};

const kindOf = ({ applicationType, isPublic }: ListedPartner): string =>
  `${applicationType}, ${isPublic ? "without secret" : "with secret"}`;

export const partnerNoun: Noun = {
  name: "partner",
  summary: "Applications of others that people may connect to their publishers (OAuth 2.0).",
  commands: [create, rotate, retire, revoke, list],
};

import { roles } from "@offers/contract/words";
import { liveCredentialsMadeBy, type MadeCredentials } from "../store/catalogue/credentials-made-by.ts";
import {
  invite,
  listPendingInvitations,
  type PendingInvitation,
  withdrawInvitationsOf,
} from "../store/catalogue/invitations.ts";
import { createUserWithLink, makeLinkFor, type NewLink } from "../store/catalogue/sign-in-links.ts";
import { removeUser, setUserDisabled } from "../store/catalogue/user-access.ts";
import { listUsers } from "../store/catalogue/users.ts";
import {
  type Command,
  type CommandContext,
  type Given,
  type Noun,
  type Option,
  optionalTextOf,
  textOf,
  UsageError,
} from "./command.ts";
import { ownAddressNotes } from "./own-address-notes.ts";
import { publisherOption as publisher } from "./publisher-option.ts";
import { dayOf, facts, table } from "./table.ts";

const emailOption: Option = {
  name: "email",
  kind: "text",
  field: "email",
  hint: "E",
  required: true,
  help: "the e-mail address that they sign in by",
};

const operator: Option = {
  name: "operator",
  kind: "flag",
  field: "isOperator",
  help: "may operate the whole service",
};

const madeBy = "the operator";
const onceOnly = "the link works once; send it to nobody else";

const linkOf = ({ token, expiresAt }: NewLink, { service }: CommandContext) => ({
  link: `${service.baseUrl}/dash/link/${token}`,
  expiresAt: new Date(expiresAt).toISOString(),
});

const create: Command = {
  verb: "create",
  mayBegin: true,
  summary: "Save somebody who may sign in, and print the link by which they choose a password.",
  options: [
    emailOption,
    { name: "name", kind: "text", field: "name", hint: "N", help: "their name (that of the address)" },
    operator,
  ],
  examples: ["user create --email ada@example.com --name Ada --operator"],
  run: async (given, context) => {
    const { catalogue, now } = context;
    const isOperator = given.isOperator === true;
    const { userId, email, ...link } = await createUserWithLink(
      catalogue,
      { email: textOf(given, "email"), name: optionalTextOf(given, "name"), isOperator, madeBy },
      now,
    );
    const answer = { userId, email, ...linkOf(link, context) };
    return { answer, text: facts(answer), notes: [onceOnly, ...ownAddressNotes(context.service)] };
  },
};

const inviteOne: Command = {
  verb: "invite",
  summary:
    "Print a link by which somebody joins a publisher's team or operates the service; for a known address without either, one to choose another password.",
  options: [
    emailOption,
    publisher,
    {
      name: "role",
      kind: "choice",
      field: "role",
      choices: roles,
      help: `what they may do there: ${roles.join(", ")} (editor)`,
    },
    operator,
  ],
  examples: [
    "user invite --email ada@example.com --publisher publisher_northwind --role owner",
    "user invite --email ada@example.com --operator",
    "user invite --email ada@example.com",
  ],
  run: async (given, context) => {
    const made = await makeInvitation(given, context);
    const answer = { email: textOf(given, "email"), ...linkOf(made, context) };
    return { answer, text: facts(answer), notes: [onceOnly, ...ownAddressNotes(context.service)] };
  },
};

const makeInvitation = (given: Given, { catalogue, now }: CommandContext): Promise<NewLink> => {
  const address = textOf(given, "email");
  const publisherId = optionalTextOf(given, "publisherId") ?? null;
  const isOperator = given.isOperator === true;
  const role = roles.find((one) => one === given.role) ?? null;
  if (publisherId === null && role !== null) {
    throw new UsageError(["--role is what somebody may do for a publisher: name it by --publisher"]);
  }
  if (publisherId === null && !isOperator) {
    return makeLinkFor(catalogue, { kind: "password", email: address, madeBy }, now);
  }
  return invite(
    catalogue,
    {
      email: address,
      publisherId,
      role: publisherId === null ? null : (role ?? "editor"),
      isOperator,
      madeBy,
    },
    now,
  );
};

const nothingMade: MadeCredentials = { keys: [], secrets: [] };

/** Keys end by nobody but whoever knows the servers that hold them (decisions.md#keys-outlive-their-maker). */
const notesOfMade = ({ keys, secrets }: MadeCredentials): string[] => [
  ...keys.map(
    ({ keyId, publisherId }) =>
      `an API key of ${publisherId} that they made goes on; whoever has copied it may use it: key revoke --key-id ${keyId}`,
  ),
  ...secrets.map(
    ({ secretId, websiteKey }) =>
      `a secret of ${websiteKey} that they made goes on; whoever has copied it may use it: secret revoke --secret-id ${secretId}`,
  ),
];

const disable: Command = {
  verb: "disable",
  summary: "Shut somebody out, at once and everywhere; what they have done stays.",
  options: [
    emailOption,
    { name: "undo", kind: "flag", field: "isUndone", help: "let them in again, by the password of before" },
  ],
  examples: ["user disable --email ada@example.com"],
  run: async (given, { catalogue, now }) => {
    const isDisabled = given.isUndone !== true;
    const { userId, email } = await setUserDisabled(
      catalogue,
      { email: textOf(given, "email"), isDisabled },
      now,
    );
    const made = isDisabled ? await liveCredentialsMadeBy(catalogue.db, userId, now) : nothingMade;
    return {
      answer: { email, isDisabled, ...made },
      text: facts({ email, disabled: isDisabled ? "yes" : "no" }),
      notes: notesOfMade(made),
    };
  },
};

const remove: Command = {
  verb: "remove",
  summary:
    "Shut somebody out and delete their account, with their name and address wherever they are kept; of somebody who was invited and never came, the invitations and the address. It cannot be undone. What they have done stays, by a number.",
  options: [
    emailOption,
    { name: "yes", kind: "flag", field: "yes", help: "really delete; without it nothing is done" },
  ],
  examples: ["user remove --email ada@example.com --yes"],
  run: async (given, { catalogue, now }) => {
    if (given.yes !== true) {
      throw new UsageError(["this cannot be undone: add --yes to do it; nothing was deleted"]);
    }
    const { userId } = await removeUser(catalogue, { email: textOf(given, "email") }, now);
    const made = userId === null ? nothingMade : await liveCredentialsMadeBy(catalogue.db, userId, now);
    return {
      answer: { userId, ...made },
      text: facts({ userId: userId ?? "none: the address was invited and had no account" }),
      notes: ["backups of before hold their name and address still", ...notesOfMade(made)],
    };
  },
};

const withdraw: Command = {
  verb: "withdraw",
  summary: "Take back every invitation of an address that nobody has followed yet.",
  options: [{ ...emailOption, help: "the e-mail address that was invited" }],
  examples: ["user withdraw --email ada@example.com"],
  run: async (given, { catalogue, now }) => {
    const answer = await withdrawInvitationsOf(catalogue, { email: textOf(given, "email") }, now);
    return { answer, text: facts(answer) };
  },
};

const list: Command = {
  verb: "list",
  summary: "Print everybody who may sign in.",
  options: [
    {
      name: "invited",
      kind: "flag",
      field: "isInvited",
      help: "instead of them the invitations that nobody has followed yet",
    },
  ],
  examples: ["user list --json", "user list --invited"],
  run: async (given, { catalogue, now }) => {
    const invited = await listPendingInvitations(catalogue.db, now);
    if (given.isInvited === true) return listOfInvited(invited);
    const answer = await listUsers(catalogue.db);
    const rows = answer.map((one) => [
      one.email,
      one.name,
      one.disabledAt === null ? (one.hasPassword ? "active" : "no password yet") : "disabled",
      one.lastSeenAt === null ? "not signed in now" : dayOf(one.lastSeenAt),
      [
        ...(one.isOperator ? ["operator"] : []),
        ...one.memberships.map(({ name, role }) => `${role} of ${name}`),
      ].join(", "),
    ]);
    const waiting = `invitations that nobody has followed yet: ${invited.length} (user list --invited)`;
    const notes = invited.length === 0 ? [] : [waiting];
    return { answer, text: table(["E-MAIL", "NAME", "STATE", "LAST SEEN", "MAY"], rows), notes };
  },
};

const listOfInvited = (answer: readonly PendingInvitation[]) => {
  const rows = answer.map((one) => [
    one.email,
    one.madeBy,
    dayOf(one.expiresAt),
    [
      ...(one.isOperator ? ["operator"] : []),
      ...(one.role === null ? [] : [`${one.role} of ${one.publisherName}`]),
    ].join(", "),
  ]);
  return { answer, text: table(["E-MAIL", "INVITED BY", "UNTIL", "WILL BE"], rows) };
};

export const userNoun: Noun = {
  name: "user",
  summary: "Who signs in to the dashboard.",
  commands: [create, inviteOne, withdraw, disable, remove, list],
};

import type { NewPublisher, OfferInput } from "@offers/contract/catalogue";
import type {
  AdvertiserPage,
  LedgerPage,
  Now,
  OfferFileOutcome,
  OfferPage,
  PublisherPage,
  PublisherRow,
  Quality,
} from "@offers/contract/dash/operator";
import type { OfferStatus } from "../core/catalogue.ts";
import { offerFileNotes } from "../core/offer-file-notes.ts";
import { advertiserCheck, finalText, monthAt } from "../core/statement-month.ts";
import { dayNumber } from "../core/utc-day.ts";
import { readAdvertisers, readLedger, readSpendByDay } from "../store/books/advertiser-account.ts";
import { readAdvertiserStatement } from "../store/books/advertiser-statement.ts";
import { readRefusedEvents } from "../store/books/refused-events.ts";
import { advertiserStatementCsv } from "../store/books/statement-csv.ts";
import { createAdvertiser } from "../store/catalogue/advertisers.ts";
import { readFacts } from "../store/catalogue/catalogue-facts.ts";
import { UnknownSubject } from "../store/catalogue/catalogue-refusal.ts";
import { type ListedInvitation, listInvitations } from "../store/catalogue/invitations.ts";
import { noteLook } from "../store/catalogue/looks.ts";
import {
  createPartner,
  listPartners,
  type PartnerInput,
  revokePartner,
} from "../store/catalogue/oauth-clients.ts";
import { type OfferFileFormat, offerFileText, readOfferText } from "../store/catalogue/offer-file-text.ts";
import { checkOffers, importOffers } from "../store/catalogue/offer-import.ts";
import { findOffer, type OfferSearch, searchOffers } from "../store/catalogue/offer-search.ts";
import { createOffer, listOffers, setOfferStatus, updateOffer } from "../store/catalogue/offers.ts";
import { adjustAdvertiser, depositToAdvertiser, type Payment } from "../store/catalogue/payments.ts";
import { createPublisher, updatePublisher } from "../store/catalogue/publishers.ts";
import { listSites, readPublishers } from "../store/catalogue/publishers-of-operator.ts";
import { readRunNotes } from "../store/catalogue/run-notes.ts";
import * as links from "../store/catalogue/sign-in-links.ts";
import { listTeam, type TeamMember } from "../store/catalogue/team-members.ts";
import { setUserDisabled, setUserOperator } from "../store/catalogue/user-access.ts";
import * as users from "../store/catalogue/users.ts";
import type { DeskHandle } from "./desk-handle.ts";

/** On a page of offers. */
const offersOnPage = 50;

/** What the operator's pages read and change, by the functions behind the command line. */
export const operatorCommands = {
  listAdvertisers: (desk: DeskHandle, _: null) => readAdvertisers(desk.db, dayNumber(desk.now)),
  readAdvertiser: async (desk: DeskHandle, asked: { advertiserId: string }): Promise<AdvertiserPage> => ({
    ...(await requireAccount(desk, asked.advertiserId)),
    days: await readSpendByDay(desk.db, asked.advertiserId, dayNumber(desk.now)),
  }),
  createAdvertiser: async (
    desk: DeskHandle,
    { name, currency }: { name: string; currency?: string | undefined },
  ) => ({
    advertiserId: await createAdvertiser(desk, { name, currency, balanceMicros: 0 }, desk),
  }),
  deposit: async (desk: DeskHandle, { advertiserId, ...payment }: { advertiserId: string } & Payment) => {
    await requireAccount(desk, advertiserId);
    return depositToAdvertiser(desk, advertiserId, payment, desk);
  },
  adjust: async (
    desk: DeskHandle,
    { advertiserId, ...payment }: { advertiserId: string; note: string } & Payment,
  ) => {
    await requireAccount(desk, advertiserId);
    return adjustAdvertiser(desk, advertiserId, payment, desk);
  },
  readLedger: async (
    desk: DeskHandle,
    asked: { advertiserId: string; before: number | null; kind: "deposit" | null },
  ): Promise<LedgerPage> => {
    await requireAccount(desk, asked.advertiserId);
    return readLedger(desk.db, asked);
  },
  readAdvertiserMonth: async (desk: DeskHandle, asked: { advertiserId: string; month: string }) => {
    const told = monthAt(asked.month, desk.now);
    const read = await requireStatement(desk, { ...asked, ...told });
    const { name: _, totals: __, lines: ___, ...statement } = read;
    return { month: told.month, ...statement, check: advertiserCheck(read), finality: finalText(told) };
  },
  exportAdvertiserMonth: async (desk: DeskHandle, asked: { advertiserId: string; month: string }) =>
    advertiserStatementCsv(
      asked,
      await requireStatement(desk, { ...asked, ...monthAt(asked.month, desk.now) }),
    ),

  searchOffers: async (desk: DeskHandle, { page, ...search }: OfferSearch & { page: number }) => ({
    ...(await searchOffers(desk.db, search, { page, pageSize: offersOnPage, day: dayNumber(desk.now) })),
    page,
    pageSize: offersOnPage,
  }),
  findOffer: (desk: DeskHandle, { offerId }: { offerId: string }): Promise<OfferPage> =>
    findOffer(desk.db, offerId, dayNumber(desk.now)),
  createOffer: async (desk: DeskHandle, { input }: { input: OfferInput }) => ({
    offerId: await createOffer(desk, input, desk),
  }),
  updateOffer: async (
    desk: DeskHandle,
    asked: { offerId: string; patch: object; ifVersion: number | undefined },
  ): Promise<OfferPage> => {
    await findOffer(desk.db, asked.offerId, 0);
    await updateOffer(desk, asked.offerId, asked.patch, desk.rules, asked);
    return findOffer(desk.db, asked.offerId, dayNumber(desk.now));
  },
  setOfferStatus: async (
    desk: DeskHandle,
    asked: { offerId: string; status: OfferStatus; ifVersion: number | undefined },
  ): Promise<OfferPage> => {
    await findOffer(desk.db, asked.offerId, 0);
    await setOfferStatus(desk, asked.offerId, asked.status, asked);
    return findOffer(desk.db, asked.offerId, dayNumber(desk.now));
  },
  importOffers: async (
    desk: DeskHandle,
    { text, format, isDryRun }: { text: string; format: OfferFileFormat; isDryRun: boolean },
  ): Promise<OfferFileOutcome> => {
    const file = readOfferText(text, format);
    const outcome = isDryRun ? await checkOffers(desk, file, desk) : await importOffers(desk, file, desk);
    if (!outcome.ok) return { isSaved: false, problems: outcome.problems };
    const { created, updated, alike } = outcome;
    return { isSaved: !isDryRun, created, updated, notes: offerFileNotes(file, alike) };
  },
  exportOffers: async (
    desk: DeskHandle,
    { format, advertiserId }: { format: OfferFileFormat; advertiserId: string | undefined },
  ) => {
    if (advertiserId !== undefined) await requireAccount(desk, advertiserId);
    const offers = await listOffers(desk.db, advertiserId === undefined ? {} : { advertiserId });
    return offerFileText(offers, format);
  },

  listPublishers: (desk: DeskHandle, _: null) => readPublishers(desk.db),
  readPublisher: async (
    desk: DeskHandle,
    { publisherId }: { publisherId: string },
  ): Promise<
    PublisherPage & { team: TeamMember[] } & {
      invitations: ListedInvitation[];
    }
  > => {
    const [row] = await readPublishers(desk.db, publisherId);
    if (row === undefined) throw new UnknownSubject("publisher");
    return {
      ...row,
      sites: await listSites(desk.db, publisherId),
      team: await listTeam(desk.db, publisherId),
      invitations: await listInvitations(desk.db, publisherId, desk.now),
    };
  },
  createPublisher: (desk: DeskHandle, { input }: { input: NewPublisher }) =>
    createPublisher(desk, input, desk),
  updatePublisher: async (
    desk: DeskHandle,
    { publisherId, patch, ifVersion }: { publisherId: string; patch: object; ifVersion: number | undefined },
  ): Promise<PublisherRow | undefined> => {
    await updatePublisher(desk, publisherId, patch, { ifVersion });
    return (await readPublishers(desk.db, publisherId))[0];
  },

  /** Tells a publisher that an operator looks at its pages. */
  noteLook: (desk: DeskHandle, { publisherId }: { publisherId: string }) =>
    noteLook(desk, publisherId, desk.now),

  listUsers: (desk: DeskHandle, _: null) => users.listUsers(desk.db),
  createUser: (
    desk: DeskHandle,
    asked: { email: string; name: string | undefined; isOperator: boolean; madeBy: string },
  ) => links.createUserWithLink(desk, asked, desk.now),
  updateUser: async (
    desk: DeskHandle,
    asked: { userId: number; isDisabled: boolean | undefined; isOperator: boolean | undefined },
  ) => {
    const email = await users.emailOfUser(desk.db, asked.userId);
    const { isDisabled, isOperator } = asked;
    if (isOperator !== undefined) await setUserOperator(desk, { email, isOperator });
    if (isDisabled !== undefined) await setUserDisabled(desk, { email, isDisabled }, desk.now);
  },
  makePasswordLink: async (desk: DeskHandle, { userId, madeBy }: { userId: number; madeBy: string }) => {
    const email = await users.emailOfUser(desk.db, userId);
    return links.makeLinkFor(desk, { kind: "password", email, madeBy }, desk.now);
  },

  listPartners: (desk: DeskHandle, _: null) => listPartners(desk.db, desk.now),
  createPartner: (desk: DeskHandle, input: PartnerInput) => createPartner(desk, input, desk.now),
  revokePartner: async (desk: DeskHandle, { clientId }: { clientId: string }) => {
    const known = await listPartners(desk.db, desk.now);
    if (!known.some((one) => one.clientId === clientId)) throw new UnknownSubject("partner");
    return revokePartner(desk, clientId, desk.now);
  },

  readQuality: async (
    desk: DeskHandle,
    asked: { from: number; to: number; isTest: boolean },
  ): Promise<Pick<Quality, "refused" | "unkept" | "counted" | "websites">> => ({
    ...(await readRefusedEvents(desk.db, asked)),
    websites: (await listSites(desk.db)).map(({ websiteKey, name, publisher }) => ({
      websiteKey,
      name,
      publisher,
    })),
  }),
  readNow: async (
    desk: DeskHandle,
    _: null,
  ): Promise<Pick<Now, "runs" | "catalogue"> & { schema: string; database: string }> => ({
    runs: await readRunNotes(desk.db),
    ...(await readFacts(desk.db)),
  }),
};

const requireStatement = async (
  desk: DeskHandle,
  asked: { advertiserId: string; from: string; to: string },
) => {
  const read = await readAdvertiserStatement(desk.db, asked);
  if (read === null) throw new UnknownSubject("advertiser");
  return read;
};

const requireAccount = async (desk: DeskHandle, advertiserId: string) => {
  const [found] = await readAdvertisers(desk.db, dayNumber(desk.now), advertiserId);
  if (found === undefined) throw new UnknownSubject("advertiser");
  return found;
};

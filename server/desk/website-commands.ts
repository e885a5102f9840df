import { type Allowlist, type WebsiteInput, websiteInput } from "@offers/contract/catalogue";
import type { ReadAddress } from "@offers/contract/dash/websites";
import {
  isOnThisMachine,
  nameOfOrigins,
  originsOfAddress,
  wrongOfAddress,
} from "../core/origins-of-address.ts";
import type { KeptCheck } from "../core/website-tag-health.ts";
import { allowCarefully, setAllowlist } from "../store/catalogue/allowlists.ts";
import { changeCatalogue } from "../store/catalogue/catalogue-change.ts";
import type { Condition } from "../store/catalogue/catalogue-conflict.ts";
import { CatalogueRefusal, parseInput, UnknownSubject } from "../store/catalogue/catalogue-refusal.ts";
import {
  createIntegrationSecret,
  listIntegrationSecrets,
  revokeIntegrationSecret,
} from "../store/catalogue/integration-secrets.ts";
import { archiveWebsite, type OwnWebsite, requireOwnWebsite } from "../store/catalogue/own-websites.ts";
import { keepPageCheck, readPageChecks } from "../store/catalogue/page-checks.ts";
import { readTagCalls, type TagCalls } from "../store/catalogue/tag-calls.ts";
import {
  createWebsite,
  type ListedWebsite,
  setWebsitePaused,
  updateWebsite,
} from "../store/catalogue/websites.ts";
import type { DeskHandle } from "./desk-handle.ts";
import { judgeTags } from "./judge-tags.ts";

/** A website, what was noted of its tag, and what the last look at a page of it has found. */
export type WatchedWebsite = { website: ListedWebsite; calls: TagCalls; check: KeptCheck | undefined };

/** A publisher's websites: made, changed, deleted, with what they permit and their secrets. */
export const websiteCommands = {
  judgeTags,
  findTag: async (desk: DeskHandle, asked: OwnWebsite) =>
    watch(desk, await requireOwnWebsite(desk.db, asked)),
  keepPageCheck: async (desk: DeskHandle, { check, ...own }: OwnWebsite & { check: KeptCheck }) => {
    const { websiteKey } = await requireOwnWebsite(desk.db, own);
    await keepPageCheck(desk, websiteKey, check);
  },
  findWebsite: (desk: DeskHandle, asked: OwnWebsite) => requireOwnWebsite(desk.db, asked),

  readAddress: async (desk: DeskHandle, { address }: { address: string }): Promise<ReadAddress> => {
    const origins = originsOfAddress(address, desk.rules.isPublicSuffix);
    return {
      origins,
      name: nameOfOrigins(origins),
      isOnThisMachine: isOnThisMachine(origins),
      wrong: wrongOfAddress(address, desk.rules.isPublicSuffix),
    };
  },
  createWebsite: async (
    desk: DeskHandle,
    asked: { publisherId: string; address: string } & Partial<
      Pick<WebsiteInput, "origins" | "name" | "vertical" | "geoRule">
    >,
  ) => {
    const { address, ...given } = asked;
    const wrong = given.origins ? null : wrongOfAddress(address, desk.rules.isPublicSuffix);
    if (wrong !== null) throw new CatalogueRefusal([{ field: "address", message: wrong }]);
    const origins = given.origins ?? originsOfAddress(address, desk.rules.isPublicSuffix);
    const development = isOnThisMachine(origins);
    const input = parseInput(websiteInput, { name: nameOfOrigins(origins), ...given, origins, development });
    // One transaction: a website is never there without what it permits.
    const keys = await changeCatalogue(desk, async (tx) => {
      const made = await createWebsite(tx, input, desk);
      await allowCarefully(tx, made.websiteKey);
      return made;
    });
    return { ...keys, origins: input.origins, development };
  },
  updateWebsite: async (
    desk: DeskHandle,
    { patch, ifVersion, ...own }: OwnWebsite & { patch: object } & Condition,
  ) => {
    await requireOwnWebsite(desk.db, own);
    await updateWebsite(desk, own.websiteKey, patch, desk.rules, { ifVersion });
    return requireOwnWebsite(desk.db, own);
  },
  registerOrigin: (desk: DeskHandle, { origin, ...own }: OwnWebsite & { origin: string }) =>
    // One transaction: an address that somebody else adds meanwhile stays.
    changeCatalogue(desk, async (tx) => {
      const { origins } = await requireOwnWebsite(tx.db, own);
      if (origins.includes(origin)) return;
      await updateWebsite(tx, own.websiteKey, { origins: [...origins, origin] }, desk.rules);
    }),
  setWebsitePaused: async (
    desk: DeskHandle,
    { isPaused, ifVersion, ...own }: OwnWebsite & { isPaused: boolean } & Condition,
  ) => {
    await requireOwnWebsite(desk.db, own);
    await setWebsitePaused(desk, own.websiteKey, isPaused, { ifVersion });
    return requireOwnWebsite(desk.db, own);
  },
  deleteWebsite: (desk: DeskHandle, { name, ...own }: OwnWebsite & { name: string }) =>
    archiveWebsite(desk, own, { name, now: desk.now }),

  saveAllowlist: async (
    desk: DeskHandle,
    { ifVersion, ...asked }: OwnWebsite & { allowlist: Allowlist } & Condition,
  ) => {
    await requireOwnWebsite(desk.db, asked);
    const { warnings } = await setAllowlist(desk, asked.websiteKey, asked.allowlist, { ifVersion });
    return { website: await requireOwnWebsite(desk.db, asked), warnings };
  },

  listSecrets: async (desk: DeskHandle, own: OwnWebsite) => {
    const { secretCarrier, version } = await requireOwnWebsite(desk.db, own);
    const items = await listIntegrationSecrets(desk.db, { websiteKey: own.websiteKey });
    return { secretCarrier, version, items };
  },
  createSecret: async (desk: DeskHandle, own: OwnWebsite) => {
    await requireOwnWebsite(desk.db, own);
    return createIntegrationSecret(desk, own.websiteKey, desk.now);
  },
  revokeSecret: async (desk: DeskHandle, { secretId, ...own }: OwnWebsite & { secretId: string }) => {
    await requireOwnWebsite(desk.db, own);
    const items = await listIntegrationSecrets(desk.db, { websiteKey: own.websiteKey });
    if (!items.some((one) => one.secretId === secretId)) throw new UnknownSubject("no such secret");
    await revokeIntegrationSecret(desk, secretId, desk.now);
  },
};

const watch = async ({ db, now }: DeskHandle, website: ListedWebsite): Promise<WatchedWebsite> => ({
  website,
  calls: await readTagCalls(db, website.websiteKey, website.createdAt),
  check: (await readPageChecks(db, website.publisherId, now)).get(website.websiteKey),
});

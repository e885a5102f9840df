import type { Service } from "./service.ts";

/** A website as the command line makes it; what is left out keeps the command's default. */
export type WebsitePlan = {
  name: string;
  origins: readonly string[];
  development?: boolean;
  geo?: { mode: "allowlist" | "blocklist"; entries: readonly string[]; unknown: "allow" | "block" };
  /** Further words of `website create`, such as `["--theme", "dark"]`. */
  settings?: readonly string[];
};

export type OfferPlan = {
  brand: string;
  landingUrl: string;
  title?: string;
  vertical?: string;
  geo?: readonly string[];
  payoutModel?: string;
  payoutMicros?: number;
  premium?: boolean;
  /** Further options of `offer create`, such as `{ "total-click-cap": "100" }`. */
  caps?: Record<string, string>;
};

export type MadeWebsite = { websiteKey: string; publicKey: string; origin: string };
export type MadeOffer = { offerId: string; brand: string };
export type MadeCatalogue = {
  publisherId: string;
  websites: MadeWebsite[];
  offers: MadeOffer[];
  advertiserId: string;
};

/** An offer that is paid by the click. */
export function planOffer(brand: string, payoutMicros: number, caps: Record<string, string> = {}): OfferPlan {
  return { brand, landingUrl: "https://landing.example/?click={click_id}", payoutMicros, caps };
}

/** More than any run spends that is not about money. */
const ampleMicros = 100_000_000_000;

/** Nobody passes: every visitor is blocked, located or not. */
export const everybodyBlocked = { mode: "allowlist", entries: ["AQ"], unknown: "block" } as const;

/** Sets up one publisher with its websites and one advertiser with its offers, all permitted everywhere. */
export async function makeCatalogue(
  service: Service,
  plan: { websites: readonly WebsitePlan[]; offers: readonly OfferPlan[]; balanceMicros?: number },
): Promise<MadeCatalogue> {
  const { publisherId } = await service.admin<{ publisherId: string }>(
    "publisher",
    "create",
    "--name",
    "Pier",
  );
  const { advertiserId, offers } = await addAdvertiser(service, plan);
  const websites: MadeWebsite[] = [];
  for (const website of plan.websites) {
    const made = await service.admin<Omit<MadeWebsite, "origin">>(...websiteWords(publisherId, website));
    await service.admin("allowlist", "set", "--website", made.websiteKey, "--mode", "all");
    websites.push({ ...made, origin: website.origins[0] ?? "" });
  }
  await untilLive(service, publisherId);
  return { publisherId, websites, offers, advertiserId };
}

/** Sets up one advertiser with its offers. */
export async function addAdvertiser(
  service: Service,
  plan: { offers: readonly OfferPlan[]; balanceMicros?: number },
): Promise<Pick<MadeCatalogue, "advertiserId" | "offers">> {
  const { advertiserId } = await service.admin<{ advertiserId: string }>(
    ...["advertiser", "create", "--name", "Beacon Trading"],
    ...["--balance-micros", String(plan.balanceMicros ?? ampleMicros)],
  );
  const offers: MadeOffer[] = [];
  for (const offer of plan.offers) {
    const made = await service.admin<{ offerId: string }>(...offerWords(advertiserId, offer));
    offers.push({ offerId: made.offerId, brand: offer.brand });
  }
  return { advertiserId, offers };
}

/**
 * Makes one more website and waits until the service knows it: a running service takes changes over
 * in the order in which they were made, so everything before it is known then too.
 */
export async function untilLive(service: Service, publisherId: string): Promise<void> {
  const origin = "https://marker.example";
  const marker = await service.admin<MadeWebsite>(
    ...websiteWords(publisherId, { name: "Marker", origins: [origin] }),
  );
  const query = new URLSearchParams({ pub: marker.publicKey, website: marker.websiteKey });
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const answer = await fetch(`${service.url}/v1/decision?${query}`, { headers: { origin } });
    await answer.body?.cancel();
    if (answer.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the service did not see the new catalogue within 10 s:\n${service.log()}`);
}

const websiteWords = (publisherId: string, plan: WebsitePlan): string[] => [
  ...["website", "create", "--publisher", publisherId, "--name", plan.name, "--vertical", "news"],
  ...plan.origins.flatMap((origin) => ["--origin", origin]),
  ...(plan.development ? ["--development"] : []),
  ...(plan.geo
    ? [
        ...["--geo-mode", plan.geo.mode, "--unknown-location", plan.geo.unknown],
        ...(plan.geo.entries.length > 0 ? ["--geo-entries", plan.geo.entries.join(",")] : []),
      ]
    : []),
  // Where a test says nothing else the overlay opens at once: it is about what comes after that.
  ...(plan.settings?.includes("--trigger") ? [] : ["--trigger", "immediate"]),
  ...(plan.settings ?? []),
];

const offerWords = (advertiserId: string, plan: OfferPlan): string[] => [
  ...["offer", "create", "--advertiser", advertiserId, "--brand", plan.brand],
  ...["--vertical", plan.vertical ?? "travel", "--title", plan.title ?? `${plan.brand} saves you a trip`],
  ...["--geo", (plan.geo ?? ["*"]).join(",")],
  ...["--payout-model", plan.payoutModel ?? "CPC", "--payout-micros", String(plan.payoutMicros ?? 200_000)],
  ...["--landing-url", plan.landingUrl],
  ...(plan.premium ? ["--premium"] : []),
  ...Object.entries(plan.caps ?? {}).flatMap(([name, value]) => [`--${name}`, value]),
];

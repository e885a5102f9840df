import { everybodyBlocked, type MadeWebsite, makeCatalogue, planOffer } from "../catalogue.ts";
import type { Service } from "../service.ts";

/** As an operator sets it who trusts one proxy, without limits that a test of something else would meet. */
export const visitorsEnvironment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };

/** One website that blocks everybody, and four offers that pay by the click. */
export async function makeWebsite(service: Service): Promise<MadeWebsite> {
  const { websites } = await makeCatalogue(service, {
    websites: [{ name: "Nemesis", origins: ["https://nemesis.example"], geo: everybodyBlocked }],
    offers: ["Anchor", "Buoy", "Compass", "Dock"].map((brand) => planOffer(brand, 250_000)),
  });
  const [website] = websites;
  if (website === undefined) throw new Error("the catalogue has no website");
  return website;
}

import { type AckLog, emptyLog, untilAcks, visitOnAndOn } from "../acknowledged-visits.ts";
import { everybodyBlocked, type MadeWebsite, makeCatalogue, planOffer } from "../catalogue.ts";
import { type Clients, openClients } from "../racing.ts";
import type { Service } from "../service.ts";

/** As an operator sets it who trusts one proxy, without limits that a test of something else would meet. */
export const visitorsEnvironment = { TRUST_PROXY_HOPS: "1", RATE_LIMIT_FACTOR: "100000" };

/** One website that blocks everybody, and four offers that pay by the click. */
export async function makeWebsite(service: Service): Promise<MadeWebsite> {
  const { websites } = await makeCatalogue(service, {
    websites: [{ name: "Nemesis", origins: ["https://nemesis.example"], geo: everybodyBlocked }],
    offers: ["Anchor", "Buoy", "Compass", "Dock"].map((brand) => planOffer(brand, 250_000)),
    balanceMicros: 100_000_000_000,
  });
  const [website] = websites;
  if (website === undefined) throw new Error("the catalogue has no website");
  return website;
}

export type Visits = {
  log: AckLog;
  /** Resolves when so many more events are acknowledged. */
  untilMore: (acks: number) => Promise<void>;
  /** From now on the storage is expected to refuse, or no longer: clicks that go on are not promised meanwhile. */
  expectRefusals: (are: boolean) => void;
  stop: () => Promise<void>;
};

/** So many visitors at a time, of whom each notes what was acknowledged; a log of before is gone on with. */
export function startVisits(
  services: readonly Service[],
  website: MadeWebsite,
  {
    clients: count,
    log = emptyLog(),
    firstVisitor = 0,
  }: { clients: number; log?: AckLog; firstVisitor?: number },
): Visits {
  const clients: Clients = openClients(services, count);
  const state = { going: true, visitors: firstVisitor, isRefusing: false };
  const load = {
    clientAt: clients.at,
    website,
    log,
    up: () => Promise.resolve(),
    going: () => state.going,
    nextVisitor: () => state.visitors++,
    isRefusing: () => state.isRefusing,
  };
  const visitors = Array.from({ length: count }, () => visitOnAndOn(load));
  // Whoever waits hears of it.
  for (const visitor of visitors) visitor.catch(() => undefined);
  return {
    log,
    untilMore: (acks) => untilAcks(log, log.acks + acks, visitors),
    expectRefusals: (are) => {
      state.isRefusing = are;
    },
    stop: async () => {
      state.going = false;
      await Promise.all(visitors);
      clients.close();
    },
  };
}

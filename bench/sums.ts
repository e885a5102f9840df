import { readBooks, runCheckCommand } from "./books.ts";
import type { MadeCatalogue } from "./catalogue.ts";
import { atLeast, type Check, equal, sumOf } from "./checks.ts";
import type { Service } from "./service.ts";

/** What was billed is the same sum wherever it stands: events, ledger, counters, spends and balances. */
export async function sumChecks(
  service: Service,
  made: Pick<MadeCatalogue, "offers"> & { advertiserIds: readonly string[] },
): Promise<Check[]> {
  const books = await readBooks(service);
  const advertisers = await service.admin<Advertiser[]>("advertiser", "list");
  const ours = advertisers.filter(({ advertiserId }) => made.advertiserIds.includes(advertiserId));
  const ledger = books.ledgerMicros;
  const ofOffers = made.offers.map(({ offerId }) => books.spendOf(offerId));
  return [
    atLeast("billed, in micros of the ledger", ledger, 1),
    equal("… of the events", books.billedMicros, ledger),
    equal("… of the counters", books.countedMicros, ledger),
    equal("… spent on offers", sumOf(ofOffers.map(({ micros }) => micros)), ledger),
    equal("… spent by advertisers", sumOf(made.advertiserIds.map((id) => books.spendOf(id).micros)), ledger),
    equal(
      "… missing from balances",
      sumOf(ours.map(({ depositedMicros, balanceMicros }) => depositedMicros - balanceMicros)),
      ledger,
    ),
    equal("billed clicks beside lines of the ledger", books.billedClicks, books.ledgerLines),
    equal("… counted", books.countedClicks, books.ledgerLines),
    equal("… on spends of offers", sumOf(ofOffers.map(({ clicks }) => clicks)), books.ledgerLines),
    equal("recount", await runCheckCommand(service, "recount"), ""),
    equal("audit", await runCheckCommand(service, "audit"), ""),
  ];
}

type Advertiser = { advertiserId: string; depositedMicros: number; balanceMicros: number };

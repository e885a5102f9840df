import { sendVisitors, unlocated } from "./located-visitors.ts";
import { endService, type Scene, startWatched } from "./scene.ts";

/** Visitors stop coming, and the service is well. */
export async function abandonedScene(): Promise<Scene> {
  const { service, port, website } = await startWatched();
  const visitors = sendVisitors(service, website, { perSecond: 40, each: "decision" });
  return {
    job: "offers-abandoned",
    ports: [port],
    faults: [
      {
        what: "nobody reaches the service any more",
        // The rule compares with what was usual in the hour before: most of what there is of it must be well.
        afterSeconds: 240,
        fires: ["OffersVisitorsGone"],
        make: () => visitors.stop(),
      },
    ],
    stop: async () => {
      await visitors.stop();
      await endService(service);
    },
  };
}

/** Visitors come from addresses that nobody knows. */
export async function misplacedScene(): Promise<Scene> {
  const { service, port, website } = await startWatched();
  const visitors = sendVisitors(service, website, { perSecond: 12, each: "decision" });
  return {
    job: "offers-misplaced",
    ports: [port],
    faults: [
      {
        what: "visitors come from addresses that no data knows",
        fires: ["OffersVisitorsMisplaced"],
        make: async () => visitors.comeFrom(unlocated),
      },
    ],
    stop: async () => {
      await visitors.stop();
      await endService(service);
    },
  };
}

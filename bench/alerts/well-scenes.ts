import { sendVisitors } from "./located-visitors.ts";
import { startOnPostgres } from "./postgres-scenes.ts";
import { endService, type Scene, startWatched, type Watched } from "./scene.ts";

/** A service that nothing happens to but visitors. */
export async function wellOnSqlite(perSecond: number): Promise<Scene> {
  return wellScene("offers-well", await startWatched(), perSecond);
}

/** The same on PostgreSQL. */
export async function wellOnPostgres(perSecond: number): Promise<Scene> {
  const { server, ...watched } = await startOnPostgres();
  return wellScene("offers-well-on-postgres", watched, perSecond, server.remove);
}

const wellScene = (
  job: string,
  { service, port, website }: Watched,
  perSecond: number,
  afterwards = async () => {},
): Scene => {
  const visitors = sendVisitors(service, website, { perSecond, each: "visit" });
  return {
    job,
    ports: [port],
    faults: [],
    stop: async () => {
      await visitors.stop();
      await endService(service);
      await afterwards();
    },
  };
};

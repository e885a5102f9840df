import { oldDataWarning, oldListWarning } from "./core/data-age.ts";
import type { Log } from "./core/log-events.ts";
import { dayMs } from "./core/utc-day.ts";
import type { GeoFiles } from "./geo/geo-files.ts";
import { type LiveGeo, openLiveGeo } from "./geo/live-geo.ts";
import { type LiveNetworks, openLiveNetworks } from "./geo/live-networks.ts";
import type { NetworkFiles } from "./geo/network-files.ts";

/** Tells of data that is old: when it is loaded, or once on the day on which it becomes so. */
const prepareTellingAge = (tell: (warning: string) => void) => {
  /** By their names, what makes the warnings of data that is not old yet. */
  const young = new Map<string, (now: number) => string | null>();
  const look = (): void => {
    for (const [name, warningAt] of young) {
      const warning = warningAt(Date.now());
      if (warning === null) continue;
      young.delete(name);
      tell(warning);
    }
  };
  setInterval(look, dayMs).unref();
  return (name: string, warningAt: (now: number) => string | null): void => {
    young.set(name, warningAt);
    look();
  };
};

/** Says in the log what answers, when it is old, and when data cannot be used. */
export function openLocationData(files: GeoFiles, log: Log): Promise<LiveGeo> {
  const tellAge = prepareTellingAge((warning) => log({ event: "location_data_old", warning }));
  return openLiveGeo({
    files,
    onLoaded: (file, geo) => {
      const sources = geo.sources();
      log({ event: "location_data", file, sources });
      tellAge("location", (now) => oldDataWarning(sources[0], now));
    },
    onRefused: (file, reason) => {
      log({ event: "location_data_refused", file, reason });
    },
  });
}

/** The same of the lists of networks. */
export function openNetworks(files: NetworkFiles, log: Log): LiveNetworks {
  const tellAge = prepareTellingAge((warning) => log({ event: "networks_old", warning }));
  return openLiveNetworks({
    files,
    onLoaded: (file, kind, { date, networks }) => {
      log({ event: "networks", file, kind, date, networks: networks.length });
      tellAge(kind, (now) => oldListWarning({ kind, date }, now));
    },
    onRefused: (file, reason) => {
      log({ event: "networks_refused", file, reason });
    },
  });
}

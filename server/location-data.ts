import { oldDataWarning, oldListWarning } from "./core/data-age.ts";
import type { Log } from "./core/log-events.ts";
import type { GeoFiles } from "./geo/geo-files.ts";
import { type LiveGeo, openLiveGeo } from "./geo/live-geo.ts";
import { type LiveNetworks, openLiveNetworks } from "./geo/live-networks.ts";
import type { NetworkFiles } from "./geo/network-files.ts";

/** Says in the log what answers, when it is old, and when data cannot be used. */
export function openLocationData(files: GeoFiles, log: Log): Promise<LiveGeo> {
  return openLiveGeo({
    files,
    onLoaded: (file, geo) => {
      log({ event: "location_data", file, sources: geo.sources() });
      const warning = oldDataWarning(geo.sources()[0], Date.now());
      if (warning !== null) log({ event: "location_data_old", warning });
    },
    onRefused: (file, reason) => {
      log({ event: "location_data_refused", file, reason });
    },
  });
}

/** The same of the lists of networks. */
export function openNetworks(files: NetworkFiles, log: Log): LiveNetworks {
  return openLiveNetworks({
    files,
    onLoaded: (file, kind, { date, networks }) => {
      log({ event: "networks", file, kind, date, networks: networks.length });
      const warning = oldListWarning({ kind, date }, Date.now());
      if (warning !== null) log({ event: "networks_old", warning });
    },
    onRefused: (file, reason) => {
      log({ event: "networks_refused", file, reason });
    },
  });
}

import geoip from "geoip-lite";
import type { Geo } from "./geo.ts";
import { locatedPlace, nowhere } from "./located-place.ts";
import { publicAddress } from "./public-address.ts";

/**
 * Opens the real location data. Importing this file loads it into memory (about 110 MB, some 300 ms), so only the
 * process edge does; the library's watcher of its files is never started.
 */
export function openGeo(): Geo {
  return {
    locate(text) {
      const address = publicAddress(text);
      const found = address === null ? null : geoip.lookup(address);
      return found === null ? nowhere : locatedPlace(found);
    },
  };
}

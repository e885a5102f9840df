import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { createAddressList } from "./address-list.ts";
import { createListener } from "./app.ts";
import { readBuiltChunks } from "./built-chunks.ts";
import type { Config } from "./config.ts";
import type { Context } from "./context.ts";
import { createOauthKeys } from "./core/oauth-keys.ts";
import { createTokenKeys } from "./core/token-keys.ts";
import { oauthRowsOf } from "./desk/oauth-rows-of.ts";
import { readEmbedVersion } from "./embed-version.ts";
import { geoFilesOf } from "./geo/geo-files.ts";
import { isCountry, isRegion } from "./geo/iso-codes.ts";
import type { LiveGeo } from "./geo/live-geo.ts";
import { networkFilesOf } from "./geo/network-files.ts";
import { createClientOf } from "./http/client-address.ts";
import { createLoadMeter } from "./http/load-meter.ts";
import { signedInBy } from "./http/sign-in.ts";
import { keepChunks } from "./keep-chunks.ts";
import { createLimits } from "./limits.ts";
import { openLocationData, openNetworks } from "./location-data.ts";
import type { Metrics } from "./metrics/open-metrics.ts";
import { createPageChecks } from "./page-check/check-page.ts";
import { createPasswords } from "./passwords.ts";
import { readProgramVersion } from "./program-version.ts";
import type { Store } from "./store/store.ts";
import type { TokenSecrets } from "./token-secrets.ts";
import { createUserAgents } from "./user-agents.ts";

const embedDir = fileURLToPath(new URL("../embed/dist", import.meta.url));
const dashboardDir = fileURLToPath(new URL("../dashboard/dist", import.meta.url));

/**
 * Opens the location data, which needs no database.
 * @throws Error when not even the data that the service comes with can be used.
 */
export function openPlaces(config: Config, log: Context["log"]): Promise<LiveGeo> {
  return openLocationData(geoFilesOf(config), log);
}

/** What the process has opened before anybody is served. */
export type Opened = Pick<
  Context,
  "baseUrl" | "desk" | "unstoredClicks" | "randomBytes" | "isDraining" | "log"
> & {
  config: Config;
  secrets: TokenSecrets;
  store: Store;
  geo: LiveGeo;
  /** Null: this process tells none. */
  metrics: Metrics | null;
};

/**
 * Puts together what serves everybody once the database is open. A module of its own, which the process loads while the
 * database is opened.
 */
export async function assemble({
  config,
  secrets,
  store,
  geo,
  metrics,
  ...opened
}: Opened): Promise<{ context: Context; listener: RequestListener }> {
  const { desk, log, randomBytes } = opened;
  // Before a browser can have this release's loader or dashboard: whichever node it asks finds what these fetch.
  await keepChunks(store, readBuiltChunks({ embedDir, dashboardDir }), opened);
  const tokenKeys = createTokenKeys(secrets);
  const context: Context = {
    ...opened,
    production: config.production,
    trustProxyHops: config.trustProxyHops,
    clientOf: createClientOf({ trustProxyHops: config.trustProxyHops, log }),
    embedDir,
    dashboardDir,
    store,
    passwords: createPasswords({ randomBytes }),
    geo: metrics?.watchGeo(geo) ?? geo,
    checkPage: createPageChecks({ production: config.production, clock: Date.now }),
    programVersion: readProgramVersion(),
    embedVersion: readEmbedVersion(),
    isCountry,
    isRegion,
    tokenKeys,
    ...createLimits(store.sharedWindows, { ...config, tokenKeys, log }),
    userAgents: createUserAgents(),
    isInternal: createAddressList(config.internalNetworks),
    networks: openNetworks(networkFilesOf(config), log),
    load: createLoadMeter(),
    clock: store.clock,
    oauth: {
      rows: oauthRowsOf(desk),
      keys: createOauthKeys(secrets),
      signedIn: (call) => signedInBy(context, call),
    },
    accessShare: config.accessShare,
  };
  return { context, listener: createListener(context) };
}

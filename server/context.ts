import type { Log } from "./core/log-events.ts";
import type { PlaceRules } from "./core/place-problem.ts";
import type { SignInLimit } from "./core/sign-in-limit.ts";
import type { TokenKeys } from "./core/token-keys.ts";
import type { Tries } from "./core/tries.ts";
import type { Desk } from "./desk/desk.ts";
import type { Geo } from "./geo/geo.ts";
import type { KnownNetworks } from "./geo/known-networks.ts";
import type { ClientOf } from "./http/client-address.ts";
import type { LoadMeter } from "./http/load-meter.ts";
import type { RateLimits } from "./http/rate-limits.ts";
import type { Tally } from "./log/tally.ts";
import type { OauthPorts } from "./oauth/oauth-ports.ts";
import type { createPageChecks } from "./page-check/check-page.ts";
import type { Passwords } from "./passwords.ts";
import type { Store } from "./store/store.ts";
import type { UserAgents } from "./user-agents.ts";

/** Everything a route may touch, made once at the process edge and passed by hand. */
export type Context = PlaceRules & {
  /** The origin that links are built from; the Host of a request never is. */
  baseUrl: string;
  production: boolean;
  /** How many proxies in front of the service write X-Forwarded-For. */
  trustProxyHops: number;
  clientOf: ClientOf;
  /** The directory that the embed was built into. */
  embedDir: string;
  /** The same of the dashboard. */
  dashboardDir: string;
  store: Pick<
    Store,
    | "catalogue"
    | "reload"
    | "rates"
    | "hasBudget"
    | "pacedSpend"
    | "salts"
    | "journal"
    | "isReady"
    | "isClockBearable"
    | "warnings"
    | "vitals"
    | "counts"
    | "measure"
    | "threads"
    | "apiKey"
    | "noteKeyUse"
    | "accessToken"
    | "noteGrantUse"
    | "hasDismissed"
    | "dismiss"
    | "noteRefusedClick"
    | "noteRefusedCall"
    | "report"
    | "explain"
    | "integrationSecret"
    | "declineSession"
    | "findChunk"
  >;
  /** Accounts, and the catalogue for those who are signed in. */
  desk: Desk;
  passwords: Passwords;
  signInLimit: SignInLimit;
  /** By network (decisions.md#made-up-cookies). */
  unknownSessions: Tries;
  /** By network (decisions.md#waiting-consents). */
  askedConsents: Tries;
  geo: Geo;
  /** Looks at a page of a website for what keeps its tag from working; one website's at most `checksAnHour` times an hour. */
  checkPage: ReturnType<typeof createPageChecks>;
  /** Of the service itself. */
  programVersion: string;
  /** Of the script that the service hands out. */
  embedVersion: string;
  tokenKeys: TokenKeys;
  rateLimits: RateLimits;
  load: LoadMeter;
  userAgents: UserAgents;
  /** Whether an address is one of the operator's own networks, whose clicks nobody pays for. */
  isInternal: (address: string) => boolean;
  /** Networks that no visitor sits in. */
  networks: KnownNetworks;
  /** Clicks whose visitors went to the advertiser before they were stored: unbilled, but where a slow commit still succeeds. */
  unstoredClicks: Tally;
  /** Partners' connections. */
  oauth: OauthPorts;
  /** Milliseconds since the epoch. */
  clock: () => number;
  randomBytes: (size: number) => Buffer;
  /** Whether the process is about to end and wants no new work. */
  isDraining: () => boolean;
  log: Log;
  /** Of which share of all calls the log has a line, from 0 to 1. */
  accessShare: number;
};

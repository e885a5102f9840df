import { existsSync } from "node:fs";
import { loadEnvFile } from "node:process";

/** The addresses of the demo site and of the service that its pages name. */
export type DemoSettings = {
  demoPort: number;
  /** The origin that the seeded websites register; no other spelling of it is served offers. */
  demoOrigin: string;
  servicePort: number;
  /** Where browsers reach the service: scheme, host and port, as a content security policy names it too. */
  serviceOrigin: string;
  /** The integration secret of each website that declines. The demo's own server holds them, and no page does. */
  secrets: { loan: string; preview: string };
};

/** Outside production the service seeds these two, so that the demo works without being set up. */
const seededSecrets = {
  loan: "its_demoCopperLaneLoansNotASecret001",
  preview: "its_demoCopperLanePreviewNotASecret2",
} as const;

type SettingsReading = { ok: true; settings: DemoSettings } | { ok: false; message: string };

/** The process's own variables, and those of a `.env` in the working directory that they do not name. */
export function ownEnvironment(): NodeJS.ProcessEnv {
  if (existsSync(".env")) loadEnvFile(".env");
  return process.env;
}

/**
 * What the service is started with: an empty database is filled with traffic of the past as well, unless somebody says
 * what it is to be filled with. In production nothing is made up.
 */
export function serviceEnvironment(
  env: Record<string, string | undefined>,
): Record<string, string | undefined> {
  const isSaid = (env.SEED_DEMO?.trim() ?? "") !== "";
  return isSaid || env.NODE_ENV?.trim() === "production" ? env : { ...env, SEED_DEMO: "traffic" };
}

/**
 * Reads `PORT`, `DEMO_PORT`, `BASE_URL`, and `DEMO_INTEGRATION_SECRET` and `DEMO_PREVIEW_SECRET` of `ws_loan` and
 * `ws_preview_loan`; a blank value counts as absent.
 */
export function readSettings(env: Record<string, string | undefined>): SettingsReading {
  const servicePort = readPort(env.PORT, 8787);
  const demoPort = readPort(env.DEMO_PORT, 8788);
  if (servicePort === null) return refuse("PORT", env.PORT);
  if (demoPort === null) return refuse("DEMO_PORT", env.DEMO_PORT);
  if (servicePort === demoPort) {
    return {
      ok: false,
      message: `PORT and DEMO_PORT are both ${demoPort}. Set one of them to another port.`,
    };
  }
  const serviceOrigin = readOrigin(env.BASE_URL?.trim() || `http://127.0.0.1:${servicePort}`);
  if (serviceOrigin === null) {
    const given = JSON.stringify(env.BASE_URL);
    return {
      ok: false,
      message: `BASE_URL is ${given}. It must be an origin such as https://offers.example.`,
    };
  }
  const demoOrigin = `http://localhost:${demoPort}`;
  const secrets = {
    loan: env.DEMO_INTEGRATION_SECRET?.trim() || seededSecrets.loan,
    preview: env.DEMO_PREVIEW_SECRET?.trim() || seededSecrets.preview,
  };
  return { ok: true, settings: { demoPort, demoOrigin, servicePort, serviceOrigin, secrets } };
}

function readPort(text: string | undefined, standard: number): number | null {
  const trimmed = text?.trim() ?? "";
  if (trimmed === "") return standard;
  const port = /^[0-9]{1,5}$/.test(trimmed) ? Number(trimmed) : 0;
  return port >= 1 && port <= 65_535 ? port : null;
}

function readOrigin(text: string): string | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  return url.href === `${url.origin}/` ? url.origin : null;
}

function refuse(name: string, value: string | undefined): SettingsReading {
  return { ok: false, message: `${name} is ${JSON.stringify(value)}. It must be a port from 1 to 65535.` };
}

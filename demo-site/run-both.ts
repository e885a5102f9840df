import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { createDemoApp } from "./app.ts";
import { listenOnLoopback, listenRefusal } from "./listen-on-loopback.ts";
import { type DemoSettings, readSettings } from "./settings.ts";
import { demoPortProblem, otherDemoPort, servicePortProblem, welcome } from "./start-messages.ts";

type Signal = "SIGINT" | "SIGTERM";

type RunOptions = {
  env: Record<string, string | undefined>;
  /** The program of the service. */
  serviceFile: string;
  /** Where signals come from: `process`, but for tests. */
  signals: {
    on(name: Signal, listener: () => void): unknown;
    off(name: Signal, listener: () => void): unknown;
  };
  /** Whether it runs in a terminal, which sends Ctrl+C to the service as well. */
  terminal: boolean;
  print: (text: string) => void;
  complain: (text: string) => void;
  childOutput?: "inherit" | "ignore";
  /** Aborted when the service has had time enough to become ready; after a minute, but for tests. */
  tooLate?: AbortSignal;
};

/** How long the service may take to become ready: a large database is checked and brought up to date first. */
const readyWithinMs = 60_000;

/** How long the service may take to finish what it has begun, after it was asked to stop. */
const partingMs = 15_000;

/** Runs the service as a child and the demo site here, until either is told to stop; resolves with the exit code. */
export async function runBoth(options: RunOptions): Promise<number> {
  const { env, print, complain } = options;
  const refuse = (message: string) => {
    complain(message);
    return 1;
  };
  const reading = readSettings(env);
  if (!reading.ok) return refuse(reading.message);
  const { settings } = reading;

  const host = env.HOST?.trim() || "127.0.0.1";
  const refusal = await listenRefusal(settings.servicePort, host);
  if (refusal !== null) return refuse(servicePortProblem(refusal, host, settings.servicePort));
  const listening = await listenOnLoopback(createDemoApp(settings), settings.demoPort);
  if (!listening.ok) return refuse(demoPortProblem(listening.reason, settings.demoPort));

  const service = spawn(process.execPath, [...process.execArgv, options.serviceFile], {
    env,
    stdio: options.childOutput ?? "inherit",
  });
  const ended = endOf(service);
  const stopping = stopOnSignals(service, options);
  try {
    const ready = await readyInTime(
      localAddress(host, settings.servicePort),
      ended.code,
      options.tooLate ?? AbortSignal.timeout(readyWithinMs),
    );
    if (ready === "ready") {
      print(welcome(settings));
      if (!(await isKnownOrigin(settings))) complain(otherDemoPort(settings));
    }
    if (ready === "late") {
      complain("The service did not become ready in time. Its messages above say more.");
      service.kill("SIGTERM");
    }
    const code = await ended.code;
    if (!stopping.asked() && ready !== "late") {
      complain(`The service has ended by itself (exit code ${code}), so the demo site stops too.`);
    }
    return ready === "late" ? 1 : code;
  } finally {
    stopping.release();
    await listening.site.close();
  }
}

function endOf(service: ChildProcess): { code: Promise<number> } {
  return {
    code: new Promise((resolve) => {
      service.once("error", () => resolve(1));
      service.once("exit", (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    }),
  };
}

function stopOnSignals(service: ChildProcess, { signals, terminal }: RunOptions) {
  let asked = false;
  let last: NodeJS.Timeout | undefined;
  const stop = (signal: Signal) => {
    // To the service a second signal means "at once", so the one that the terminal has sent it is not repeated.
    if (!(terminal && signal === "SIGINT")) service.kill(signal);
    last ??= setTimeout(() => service.kill("SIGKILL"), partingMs);
    asked = true;
  };
  const listeners = { SIGINT: () => stop("SIGINT"), SIGTERM: () => stop("SIGTERM") };
  const names = ["SIGINT", "SIGTERM"] as const;
  for (const name of names) signals.on(name, listeners[name]);
  return {
    asked: () => asked,
    release: () => {
      clearTimeout(last);
      for (const name of names) signals.off(name, listeners[name]);
    },
  };
}

/** Asks `/readyz` until it answers 200, the service has ended, or it is too late. */
async function readyInTime(
  address: string,
  ended: Promise<number>,
  tooLate: AbortSignal,
): Promise<"ready" | "late" | "ended"> {
  let over = false;
  void ended.then(() => {
    over = true;
  });
  while (!tooLate.aborted && !over) {
    if (await isReady(address)) return "ready";
    await Promise.race([pause(100), ended]);
  }
  return over ? "ended" : "late";
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function isReady(address: string): Promise<boolean> {
  try {
    const answer = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(1000) });
    await answer.body?.cancel();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Whether the service's data names this demo site. A development website is asked about, so nothing live is counted. */
async function isKnownOrigin({ serviceOrigin, demoOrigin }: DemoSettings): Promise<boolean> {
  try {
    const answer = await fetch(`${serviceOrigin}/v1/decision?pub=pub_northwind&website=ws_preview`, {
      headers: { Origin: demoOrigin },
      signal: AbortSignal.timeout(2000),
    });
    await answer.body?.cancel();
    return answer.status !== 403;
  } catch {
    // The service may be behind a proxy that is not up yet: nothing is known then, so nothing is complained of.
    return true;
  }
}

/** The service's address on this machine; a host such as 0.0.0.0, on which it listens, is none that can be called. */
function localAddress(host: string, port: number): string {
  if (host === "0.0.0.0") return `http://127.0.0.1:${port}`;
  if (host === "::") return `http://[::1]:${port}`;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

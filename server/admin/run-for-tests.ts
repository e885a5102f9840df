import { readConfig } from "../config.ts";
import type { TestService } from "../testing/test-service.ts";
import { environmentOf } from "./operator-for-tests.ts";
import { runAdmin } from "./run-admin.ts";

type Ran = { code: number; out: string; err: string };

/** Runs one command line of an operator with that environment; left out, a service answers beside it. */
export async function runWith(
  words: readonly string[],
  given: { env: Record<string, string | undefined>; now: () => number; isAnswering?: boolean },
): Promise<Ran> {
  const { env, now, isAnswering = true } = given;
  let [out, err] = ["", ""];
  const code = await runAdmin(words, {
    readConfig: () => readConfig(env),
    now,
    pause: async () => undefined,
    userName: () => "ada",
    isAnswering: async () => isAnswering,
    print: (text) => {
      out += text;
    },
    complain: (text) => {
      err += text;
    },
    isHeard: () => true,
  });
  return { code, out, err };
}

/** Runs a command beside a test's service, on its data and by its clock; `environment` is what the operator has set besides. */
export function runBeside(
  service: TestService,
  words: string[],
  environment: Record<string, string> = {},
): Promise<Ran> {
  const env = { ...environmentOf(service.address, service.dataDir), ...environment };
  return runWith(words, { env, now: service.context.clock });
}

import { readConfig } from "../config.ts";
import type { TestService } from "../testing/test-service.ts";
import { environmentOf } from "./operator-for-tests.ts";
import { runAdmin } from "./run-admin.ts";

/** Runs a command beside a test's service, on its data and by its clock; `environment` is what the operator has set besides. */
export async function runBeside(
  service: TestService,
  words: string[],
  environment: Record<string, string> = {},
): Promise<{ code: number; out: string; err: string }> {
  let [out, err] = ["", ""];
  const env = { ...environmentOf(service.address, service.dataDir), ...environment };
  const code = await runAdmin(words, {
    readConfig: () => readConfig(env),
    now: service.context.clock,
    pause: async () => undefined,
    userName: () => "ada",
    isAnswering: async () => true,
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

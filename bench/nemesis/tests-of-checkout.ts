import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Check, equal } from "../checks.ts";
import type { Engine } from "../cluster/start-nodes.ts";
import { repositoryRoot } from "../program.ts";
import { makeTemporaryFolder } from "../temporary-folder.ts";
import { runNode } from "./run-node.ts";

/** What is read here of Vitest's report (`--reporter=json`). */
type Report = {
  testResults: readonly {
    name: string;
    message: string;
    assertionResults: readonly { fullName: string; status: string; failureMessages: readonly string[] }[];
  }[];
};

/** Runs some of the files of `npm test`, each on one engine as it runs there, with a check for every test in them. */
export async function testsOfCheckout(files: readonly string[], engine: Engine): Promise<Check[]> {
  const { directory, remove } = await makeTemporaryFolder("offers-tests-");
  try {
    const file = join(directory, "report.json");
    const project = engine === "postgres" ? "postgres" : "unit";
    const words = ["--project", project, "--reporter=json", `--outputFile=${file}`, ...files];
    const vitest = join(repositoryRoot, "node_modules/vitest/vitest.mjs");
    const output = await runNode([vitest, "run", ...words], { cwd: repositoryRoot });
    const text = await readFile(file, "utf8").catch(() => null);
    if (text === null) throw new Error(`Vitest has written no report: ${output.slice(-2000)}`);
    return checksOf(JSON.parse(text), files);
  } finally {
    await remove();
  }
}

const checksOf = ({ testResults }: Report, files: readonly string[]): Check[] => {
  const ran = testResults.filter(({ assertionResults }) =>
    assertionResults.some(({ status }) => status === "passed" || status === "failed"),
  );
  const missing = files.filter((file) => !ran.some(({ name }) => name.endsWith(`/${file}`)));
  const why = testResults.map(({ message }) => message.slice(0, 300)).filter(Boolean);
  const tests = ran.flatMap(({ assertionResults }) => assertionResults);
  return [
    equal("files in which no test ran", [...missing, ...(missing.length > 0 ? why : [])].join("; "), ""),
    ...tests.flatMap(({ fullName, status, failureMessages }) =>
      status === "passed" || status === "failed"
        ? [
            {
              claim: fullName.trim(),
              holds: status === "passed",
              seen: failureMessages[0]?.split("\n")[0] ?? status,
            },
          ]
        : [],
    ),
  ];
};

import { execFile } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { repositoryRoot } from "../program.ts";

const made = join(import.meta.dirname, "dist");

/** Makes the clients of one document with both generators, under `dist/<name>`. */
export async function generateClients(name: string, document: object): Promise<void> {
  const folder = join(made, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const types = await openapiTS(structuredClone(document) as OpenAPI3);
  await writeFile(join(folder, "openapi-typescript.ts"), astToString(types));
  await createClient({
    input: structuredClone(document) as Record<string, unknown>,
    output: join(folder, "hey-api"),
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
}

/** What the compiler has to say of the clients and of the calls that are made with them; "" for nothing. */
export async function compileClients(): Promise<string> {
  const compiler = join(repositoryRoot, "node_modules/typescript/bin/tsc");
  const options = ["-p", join(import.meta.dirname, "tsconfig.json")];
  const { stdout } = await promisify(execFile)(process.execPath, [compiler, ...options]).catch(
    (error: { stdout: string; stderr: string }) => ({
      stdout: `${error.stdout}${error.stderr}` || "it failed",
    }),
  );
  return stdout;
}

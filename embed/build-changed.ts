import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Builds the embed unless every file that it is made of is older than what was built of them: `npm start` runs this,
 * and the build would be a third of its time. A folder counts too, since it tells of a file that was removed.
 */
const root = join(import.meta.dirname, "..");
const dist = join(root, "embed/dist");

if (changedAt() >= builtAt()) {
  const { createBuilder } = await import("vite");
  const builder = await createBuilder({ logLevel: "warn", configFile: join(root, "embed/vite.config.ts") });
  await builder.buildApp();
}

/** When the file that a build writes last was written, in milliseconds since the epoch; 0 where there is none. */
function builtAt(): number {
  return statSync(join(dist, "embed.js.gz"), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When the last of the sources was changed. */
function changedAt(): number {
  const within = ["embed", "contract"].flatMap((room) => [
    join(root, room),
    ...readdirSync(join(root, room), { recursive: true, encoding: "utf8" }).map((file) =>
      join(root, room, file),
    ),
  ]);
  const sources = within.filter((file) => file !== dist && !file.startsWith(join(dist, "/")));
  // Libraries: a change of one stands in the lock file.
  return Math.max(...[...sources, join(root, "package-lock.json")].map((file) => statSync(file).mtimeMs));
}

import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

/**
 * Builds what browsers are sent, the embed and the dashboard, unless every file that one is made of is older than what
 * was built of them: `npm start` runs this, and the build would be a third of its time. A folder counts too, since it
 * tells of a file that was removed.
 */
const root = join(import.meta.dirname, "..");
/** Of each room a file that its build writes at the end. */
const rooms = { embed: "embed.js.gz", dashboard: "index.html" };

for (const [room, lastFile] of Object.entries(rooms)) {
  if (changedAt(room) >= builtAt(join(root, room, "dist", lastFile))) {
    const { createBuilder } = await import("vite");
    const configFile = join(root, room, "vite.config.ts");
    const builder = await createBuilder({ logLevel: "warn", configFile });
    await builder.buildApp();
  }
}

/** When a file was written, in milliseconds since the epoch; 0 where there is none. */
function builtAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** When the last of a room's sources was changed. */
function changedAt(room: string): number {
  const dist = join(root, room, "dist");
  const within = [room, "contract"].flatMap((folder) => [
    join(root, folder),
    ...readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((file) =>
      join(root, folder, file),
    ),
  ]);
  const sources = within.filter((file) => file !== dist && !file.startsWith(join(dist, "/")));
  // Libraries: a change of one stands in the lock file.
  return Math.max(...[...sources, join(root, "package-lock.json")].map((file) => statSync(file).mtimeMs));
}

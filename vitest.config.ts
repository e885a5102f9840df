import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**", "**/dist/**"];
/** Those that put a real service under load, or hold its lock, and take the time of its answers. */
const promises = [
  "bench/promises.test.ts",
  "server/routes/held-lock.test.ts",
  "server/store/sqlite/crash.test.ts",
  "server/store/sqlite/locked-database.test.ts",
];

/** They are generated, compiled and called: `npm run test:all`. */
const clients = "bench/clients/clients.test.ts";

export default defineConfig({
  test: {
    environment: "node",
    // A flaky test is a defect: nothing is tried twice.
    retry: 0,
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{contract,server,embed,demo-site,bench}/**/*.test.{ts,tsx}"],
          exclude: [...exclude, ...promises, clients],
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: { name: "clients", include: [clients], exclude, sequence: { groupOrder: 2 } },
      },
      {
        extends: true,
        // Afterwards and one by one, with the machine to itself.
        test: {
          name: "promises",
          include: promises,
          exclude,
          testTimeout: 15_000,
          hookTimeout: 30_000,
          fileParallelism: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});

import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**", "**/dist/**"];
/** Programs that start a real service, put it under load and take its time. */
const promises = "bench/promises.test.ts";

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
          exclude: [...exclude, promises],
          testTimeout: 15_000,
          hookTimeout: 30_000,
        },
      },
      {
        extends: true,
        // Afterwards, with the machine to itself.
        test: { name: "promises", include: [promises], exclude, sequence: { groupOrder: 1 } },
      },
    ],
  },
});

import { describe, test } from "vitest";
import { findPostgres } from "../server/testing/postgres-server.ts";
import { crash } from "./crash.ts";
import { expectKept } from "./expect-kept.ts";
import { postgresCrash } from "./postgres-crash.ts";
import { smallSizes as sizes } from "./promise-sizes.ts";
import { serverCrash } from "./server-crash.ts";

describe("promises, kept by a real service that is killed", { timeout: 900_000 }, () => {
  test("nothing that was acknowledged is lost or doubled when the service is killed under load", async () => {
    await expectKept(crash(sizes.crash));
  });

  test("a server that sends an event until it is acknowledged has exactly one, whatever kills the service", async () => {
    await expectKept(serverCrash(sizes.serverCrash));
  });

  test.skipIf(findPostgres() === null)(
    "nothing that nodes acknowledged is lost or doubled when they, their database or its connections end",
    async () => {
      await expectKept(postgresCrash(sizes.postgresCrash));
    },
  );
});

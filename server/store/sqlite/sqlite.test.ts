import { tmpdir } from "node:os";
import { byTests } from "../catalogue/catalogue-for-tests.ts";
import { describeStore } from "../conformance/describe-store.ts";
import { openStore } from "../open-store.ts";
import { type Database, openDatabase } from "./database.ts";
import { newCatalogueFile } from "./file-for-tests.ts";
import { changing } from "./open-catalogue.ts";
import { prepareBatchWriter } from "./write-batch.ts";

describeStore({
  name: "SQLite",
  newDatabase: async () => {
    const { file, sqlite, close, ...database } = await newCatalogueFile(tmpdir());
    const others: Database[] = [];
    const writer = prepareBatchWriter(sqlite);
    return {
      ...database,
      beside: async () => {
        const another = openDatabase({ file, durability: "relaxed", busyTimeoutMs: 5 });
        others.push(another);
        return changing(another, byTests);
      },
      open: (clock) =>
        openStore({ database: { engine: "sqlite", file, durability: "full" }, clock, log: () => undefined }),
      record: async (entries) => {
        const { outcomes, failures } = writer.write(entries, 0);
        if (failures[0] !== undefined) throw new Error(failures[0].message);
        return outcomes.flatMap((outcome) => outcome ?? []);
      },
      close: async () => {
        await Promise.all(others.map(({ db }) => db.destroy()));
        await close();
      },
    };
  },
});

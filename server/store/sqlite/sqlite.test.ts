import { tmpdir } from "node:os";
import { newCatalogue } from "../catalogue/catalogue-for-tests.ts";
import { describeStore } from "../conformance/describe-store.ts";
import { openStore } from "../open-store.ts";
import { prepareBatchWriter } from "./write-batch.ts";

describeStore({
  name: "SQLite",
  newDatabase: async () => {
    const { file, db, sqlite, transact, close } = await newCatalogue(tmpdir());
    const writer = prepareBatchWriter(sqlite);
    return {
      db,
      transact,
      open: (clock) => openStore({ file, durability: "full", clock, log: () => undefined }),
      record: async (entries) => {
        const { outcomes, failures } = writer.write(entries, 0);
        if (failures[0] !== undefined) throw new Error(failures[0].message);
        return outcomes.flatMap((outcome) => outcome ?? []);
      },
      close,
    };
  },
});

import { expect, test } from "vitest";
import { transact } from "./transaction.ts";

/** A connection that notes what it is asked, and answers a commit with that word. */
const connection = (committed: string) => {
  const asked: string[] = [];
  const query = async (statement: string) => {
    asked.push(statement);
    return { command: statement === "commit" ? committed : statement.toUpperCase(), rows: [] };
  };
  return { asked, client: { query } as never };
};

test("a transaction is committed with what its work resolves with", async () => {
  const { asked, client } = connection("COMMIT");
  expect(await transact(client, async () => 5)).toBe(5);
  expect(asked).toEqual(["begin", "commit"]);
});

test("what fails is rolled back, and never committed", async () => {
  const { asked, client } = connection("COMMIT");
  await expect(transact(client, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(asked).toEqual(["begin", "rollback"]);
});

test("a commit that the server has answered with a rollback is a failure", async () => {
  const { client } = connection("ROLLBACK");
  await expect(transact(client, async () => 5)).rejects.toMatchObject({ code: "25P02" });
});

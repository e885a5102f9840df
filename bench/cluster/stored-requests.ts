import { factTypes } from "../../server/core/fact.ts";
import type { Cluster } from "./cluster.ts";

/** How often what counts of a kind is stored of each request, by the characters that `requestOf` finds. */
export async function storedRequests(
  cluster: Pick<Cluster, "query">,
  type: keyof typeof factTypes,
): Promise<Map<string, number>> {
  const rows = await cluster.query<{ request: Buffer; rows: string }>(
    `select request, count(*) as rows from fact where type = ${factTypes[type]} and seq = 0 group by request`,
  );
  return new Map(rows.map(({ request, rows: count }) => [request.toString("base64url"), Number(count)]));
}

export async function countOf(cluster: Pick<Cluster, "query">, from: string): Promise<number> {
  const [row] = await cluster.query<{ rows: string }>(`select count(*) as rows from ${from}`);
  return Number(row?.rows);
}

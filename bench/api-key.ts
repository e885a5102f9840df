import type { Service } from "./service.ts";

/** Issues a key to the one publisher of the service, and waits until the running service takes it. */
export async function issueKey(service: Service): Promise<{ authorization: string }> {
  const [publisher] = await service.admin<{ publisherId: string }[]>("publisher", "list");
  return (await issueKeyTo(service, publisher?.publisherId ?? "")).key;
}

/** The same of one publisher among others. */
export async function issueKeyTo(
  service: Service,
  publisherId: string,
): Promise<{ key: { authorization: string }; keyId: string }> {
  const { key, keyId } = await service.admin<{ key: string; keyId: string }>(
    ...["key", "create", "--publisher", publisherId],
  );
  const headers = { authorization: `Bearer ${key}` };
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    const answer = await fetch(`${service.url}/v1/offers?pageSize=1`, { headers });
    await answer.body?.cancel();
    if (answer.status === 200) return { key: headers, keyId };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the service did not take the new key within 10 s:\n${service.log()}`);
}

import type { BrowserContext, Page, Request } from "@playwright/test";
import type { Service } from "../bench/service.ts";

/** What everybody in a test chooses as password. */
export const testPassword = "a sentence that the test knows";

/** Holds a page's calls, or those of them that are meant, until what this answers with is called. */
export async function hold(
  page: Page,
  url: RegExp,
  isMeant: (call: Request) => boolean = () => true,
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (isMeant(route.request())) await promise;
    await route.fallback();
  });
  return () => resolve();
}

/** Who signs in: an operator, a member of a publisher's team, or both. */
export type Person = {
  email: string;
  isOperator?: boolean;
  publisherId?: string;
  role?: "viewer" | "editor" | "owner";
};

/**
 * Makes somebody by the operator's command line and signs a browser in as they would themselves: by their link and a
 * password. Returns what the session's cookie holds.
 */
export async function signIn(
  context: BrowserContext,
  { service, url }: { service: Pick<Service, "admin">; url: string },
  person: Person,
): Promise<string> {
  const words = person.publisherId
    ? ["invite", "--publisher", person.publisherId, "--role", person.role ?? "owner"]
    : ["create"];
  const { link } = await service.admin<{ link: string }>(
    "user",
    ...words,
    ...["--email", person.email],
    ...(person.isOperator ? ["--operator"] : []),
  );
  const path = new URL(link).pathname;
  const answer = await context.request.post(`${url}${path}`, {
    form: { password: testPassword },
    headers: { Origin: url, "Sec-Fetch-Site": "same-origin" },
    maxRedirects: 0,
  });
  if (answer.status() !== 303) throw new Error(`not signed in: ${answer.status()} ${await answer.text()}`);
  const cookie = (await context.cookies(url)).find(({ name }) => name === "offers");
  if (cookie === undefined) throw new Error("the browser has kept no cookie");
  return cookie.value;
}

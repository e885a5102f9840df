import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A publisher's site, or an advertiser's: a handful of pages on an origin of its own. */
export type HostSite = {
  /** `http://localhost:…`: another site than the service's `http://127.0.0.1:…`. */
  origin: string;
  pages: Map<string, HostPage>;
  /** Requests for pages in order, as `/path?query`. */
  visits: string[];
  /** The `Referer` of each of them; empty where it had none. */
  referrers: string[];
  close: () => Promise<void>;
};

export type HostPage = { html: string; headers?: Record<string, string> };

export async function openHostSite(): Promise<HostSite> {
  const pages = new Map<string, HostPage>();
  const visits: string[] = [];
  const referrers: string[] = [];
  const server = createServer((request, response) => {
    const address = request.url ?? "/";
    const page = pages.get(address.split("?")[0] ?? "");
    if (page === undefined) {
      response.writeHead(address === "/favicon.ico" ? 204 : 404).end();
      return;
    }
    visits.push(address);
    referrers.push(request.headers.referer ?? "");
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", ...page.headers }).end(page.html);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    pages,
    visits,
    referrers,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

type Tag = { publicKey: string; websiteKey: string; attributes?: Record<string, string> };

/** The one line that a publisher pastes. */
export function scriptTag(serviceUrl: string, tag: Tag): string {
  const more = Object.entries(tag.attributes ?? {}).map(([name, value]) => ` ${name}="${value}"`);
  return `<script async crossorigin src="${serviceUrl}/embed.js" data-pub="${tag.publicKey}" data-website="${tag.websiteKey}"${more.join("")}></script>`;
}

/** A page with something to focus, something to read, and the tag. */
export function articlePage(
  tag: string,
  options: { lang?: string; dir?: "ltr" | "rtl"; headers?: Record<string, string> } = {},
): HostPage {
  return {
    html: `<!doctype html>
<html lang="${options.lang ?? "en"}" dir="${options.dir ?? "ltr"}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour news</title>
<main>
<h1>The ferry is late again</h1>
<p>Everybody waits on the quay. <button id="host-button" autofocus>Read on</button></p>
</main>
${tag}
</html>`,
    headers: options.headers ?? {},
  };
}

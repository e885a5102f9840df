import { fileURLToPath } from "node:url";
import express, { type ErrorRequestHandler, type Express, type Request, type RequestHandler } from "express";
import { type DevLocation, readDevLocation } from "./dev-location.ts";
import { loanRoutes } from "./loan-route.ts";
import { html, type Markup } from "./markup.ts";
import { pageHeaders } from "./page-headers.ts";
import { advertiserPage } from "./pages/advertiser.ts";
import { articlePage } from "./pages/article.ts";
import { brandColours, brandLogo } from "./pages/brand-logo.ts";
import { type Brand, brandOf, unnamedBrand } from "./pages/brands.ts";
import { homePage } from "./pages/home.ts";
import { loanPage } from "./pages/loan.ts";
import { magazinePage } from "./pages/magazine.ts";
import { plainPage } from "./pages/plain-page.ts";
import { type PreviewPage, previewPageNamed, previewPageOf } from "./pages/preview-pages.ts";
import { previewPanelPage } from "./pages/preview-panel.ts";
import { type PreviewWebsite, previewWebsiteOf } from "./pages/preview-websites.ts";
import type { DemoSettings } from "./settings.ts";
import { declineOptions, offerTag, sectionOptions } from "./tag.ts";

const browserFiles = fileURLToPath(new URL("./browser/", import.meta.url));

/** The publisher's site, the site owner's panel and the advertisers' landing pages. */
export function createDemoApp(settings: DemoSettings): Express {
  const { serviceOrigin } = settings;
  const app = express();
  app.disable("x-powered-by");
  // Each page reads its own query, so that no name in it becomes an object or a list.
  app.set("query parser", false);
  app.use(pageHeaders(serviceOrigin));

  app.get("/", (request, response) => {
    response.send(homePage(settings, request.get("Host") ?? ""));
  });
  app.get("/article", (_request, response) => {
    response.send(articlePage(offerTag({ serviceOrigin, website: "ws_journal" })));
  });
  app.get("/magazine", (_request, response) => {
    response.send(magazinePage(offerTag({ serviceOrigin, website: "ws_journal", options: sectionOptions })));
  });
  app.get("/loan", (_request, response) => {
    response.send(
      loanPage(offerTag({ serviceOrigin, website: "ws_loan", options: declineOptions }), "/loan/apply"),
    );
  });
  app.use("/loan", loanRoutes({ serviceOrigin, integrationSecret: settings.secrets.loan }));
  openPreview(app, settings);
  app.get("/advertisers/:slug", (request, response) => {
    response.send(advertiserPage(brandOf(request.params.slug) ?? unnamedBrand, queryOf(request)));
  });
  app.get("/brands/:file", (request, response, next) => {
    const [, slug = "", kind] = /^([a-z-]+)\.(svg|css)$/.exec(request.params.file) ?? [];
    const brand: Brand | undefined = slug === unnamedBrand.slug ? unnamedBrand : brandOf(slug);
    if (brand === undefined) return next();
    // Overlays show the logos on other sites, some of which isolate themselves.
    response.set({ "Cross-Origin-Resource-Policy": "cross-origin", "Cache-Control": "public, max-age=3600" });
    if (kind === "svg") response.type("image/svg+xml").send(brandLogo(brand));
    else response.type("text/css").send(brandColours(brand));
  });
  app.get("/assets/:file", (request, response, next) => {
    const { file } = request.params;
    // Only a plain name is served: tests and settings lie in the same folder.
    if (!/^[a-z-]+\.(css|js|svg)$/.test(file)) return next();
    response.sendFile(file, { root: browserFiles, cacheControl: false }, (error) => {
      if (error && !response.headersSent) next();
    });
  });
  app.post("/newsletter", (_request, response) => {
    response.send(
      plainPage(
        "Thank you for trying",
        "This is a demo: no letter comes, and your address was not even read.",
        "✉",
      ),
    );
  });
  app.get("/healthz", (_request, response) => {
    response.type("text/plain").send("ok\n");
  });
  app.use((_request, response) => {
    response.status(404).send(plainPage("Nothing is here", "No page of the demo has this address.", "404"));
  });
  app.use(onError);
  return app;
}

/** What the panel shows: a page, as one website has it, to a visitor of one place. */
type Shown = { previewed: PreviewPage; website: PreviewWebsite; location: DevLocation };

/** The panel, and each page as it shows it: with a probe before its tag, on the website's development twin. */
function openPreview(app: Express, settings: DemoSettings): void {
  const { serviceOrigin, secrets } = settings;
  const inPlace =
    (name: PreviewPage["name"] | null, answer: (shown: Shown, request: Request) => string): RequestHandler =>
    (request, response, next) => {
      const query = queryOf(request);
      const dev = readDevLocation(query);
      if (!dev.ok) {
        return void response.status(400).send(plainPage("That place is not one", dev.message, "400"));
      }
      const previewed = name === null ? previewPageOf(query) : previewPageNamed(name);
      const website = previewed && previewWebsiteOf(previewed, query);
      if (previewed === null || website === null) next();
      else response.send(answer({ previewed, website, location: dev.location }, request));
    };
  const tags = ({ website: { website }, location }: Shown, options = {}, own?: string): Markup => {
    // The probe comes first and is not async, so that every call of the tag goes through it.
    const probe = html`<script src="/assets/preview-probe.js" data-service="${serviceOrigin}"${own && html` data-own="${own}"`}></script>`;
    return html`${probe}\n${offerTag({ serviceOrigin, website, simulate: location, options })}`;
  };
  const lender = "/preview/loan";

  app.get(
    "/preview",
    inPlace(null, (shown, request) => previewPanelPage(settings, request.get("Host") ?? "", shown)),
  );
  app.get(
    "/preview/article",
    inPlace("article", (shown) => articlePage(tags(shown))),
  );
  app.get(
    "/preview/magazine",
    inPlace("magazine", (shown) => magazinePage(tags(shown, sectionOptions))),
  );
  app.get(
    lender,
    inPlace("loan", (shown) => loanPage(tags(shown, declineOptions, `${lender}/`), `${lender}/apply`)),
  );
  app.use(lender, loanRoutes({ serviceOrigin, integrationSecret: secrets.preview }));
}

/** The query as it was sent: pairs in their order, repetitions kept. */
function queryOf(request: Request): URLSearchParams {
  const at = request.originalUrl.indexOf("?");
  return new URLSearchParams(at < 0 ? "" : request.originalUrl.slice(at));
}

const onError: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  const status = error instanceof URIError || statusOf(error) === 400 ? 400 : 500;
  if (status === 500) console.error(error);
  response
    .status(status)
    .send(
      status === 400
        ? plainPage("This address cannot be read", "It holds a percent sign that stands for nothing.", "400")
        : plainPage("The demo failed", "Its terminal shows why.", "500"),
    );
};

function statusOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "status" in error ? error.status : undefined;
}

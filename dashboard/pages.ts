import type { Me, OwnPublisher } from "@offers/contract/dash/accounts";
import type { DashPath } from "@offers/contract/dash/paths";
import type { ComponentType } from "preact";
import lazy from "preact-iso/lazy";
import { base } from "./address.ts";
import type { IconName } from "./parts/icon.tsx";
import { PageNotLoaded } from "./parts/page-not-loaded.tsx";
import { ranks } from "./signed-in.ts";

/** Who may open a page: a member of the chosen publisher from this role on, anyone who is signed in, or an operator. */
export type Who = "viewer" | "editor" | "owner" | "anyone" | "operator";
export type NavGroup = "main" | "developers" | "account" | "operator";

export type PageRow = {
  /** Below /dash; `:key` stands for one segment. */
  path: string;
  title: string;
  who: Who;
  page: ComponentType;
  /** Where the side bar names the page; without it, the page is reached from others. */
  nav?: { group: NavGroup; icon: IconName };
};

/** Every page but for its path, in the order of the side bar. A page is a path of the contract, a line here and a file in pages/. */
const rows: Record<DashPath, Omit<PageRow, "path">> = {
  "/": {
    title: "Overview",
    who: "viewer",
    nav: { group: "main", icon: "home" },
    page: page(() => import("./pages/overview.tsx").then((it) => it.Overview)),
  },
  "/websites": {
    title: "Websites",
    who: "viewer",
    nav: { group: "main", icon: "globe" },
    page: page(() => import("./pages/websites.tsx").then((it) => it.Websites)),
  },
  "/start": {
    title: "Set up a website",
    who: "viewer",
    page: page(() => import("./pages/start.tsx").then((it) => it.Start)),
  },
  "/websites/:key": {
    title: "Health",
    who: "viewer",
    page: page(() => import("./pages/website-health.tsx").then((it) => it.WebsiteHealth)),
  },
  "/websites/:key/tag": {
    title: "Tag",
    who: "viewer",
    page: page(() => import("./pages/website-tag.tsx").then((it) => it.WebsiteTag)),
  },
  "/websites/:key/places": {
    title: "Places",
    who: "viewer",
    page: page(() => import("./pages/website-places.tsx").then((it) => it.WebsitePlaces)),
  },
  "/websites/:key/allowlist": {
    title: "Offers allowed",
    who: "viewer",
    page: page(() => import("./pages/website-allowlist.tsx").then((it) => it.WebsiteAllowlist)),
  },
  "/websites/:key/look": {
    title: "Look and words",
    who: "viewer",
    page: page(() => import("./pages/website-look.tsx").then((it) => it.WebsiteLook)),
  },
  "/websites/:key/secrets": {
    title: "Secrets",
    who: "viewer",
    page: page(() => import("./pages/website-secrets.tsx").then((it) => it.WebsiteSecrets)),
  },
  "/websites/:key/settings": {
    title: "Settings",
    who: "viewer",
    page: page(() => import("./pages/website-settings.tsx").then((it) => it.WebsiteSettings)),
  },
  "/reports": {
    title: "Reports",
    who: "viewer",
    nav: { group: "main", icon: "bars" },
    page: page(() => import("./pages/reports.tsx").then((it) => it.Reports)),
  },
  "/websites/:key/simulate": {
    title: "Simulate",
    who: "viewer",
    page: page(() => import("./pages/simulate.tsx").then((it) => it.Simulate)),
  },
  "/offers": {
    title: "Offers",
    who: "viewer",
    nav: { group: "main", icon: "tag" },
    page: page(() => import("./pages/offers.tsx").then((it) => it.Offers)),
  },
  "/explain": {
    title: "Explain",
    who: "viewer",
    nav: { group: "main", icon: "search" },
    page: page(() => import("./pages/explain.tsx").then((it) => it.Explain)),
  },
  "/keys": {
    title: "Keys",
    who: "viewer",
    nav: { group: "developers", icon: "key" },
    page: page(() => import("./pages/keys.tsx").then((it) => it.Keys)),
  },
  "/apps": {
    title: "Connected apps",
    who: "viewer",
    nav: { group: "developers", icon: "plug" },
    page: page(() => import("./pages/apps.tsx").then((it) => it.Apps)),
  },
  "/team": {
    title: "Team",
    who: "viewer",
    nav: { group: "account", icon: "people" },
    page: page(() => import("./pages/team.tsx").then((it) => it.Team)),
  },
  "/activity": {
    title: "Activity",
    who: "viewer",
    nav: { group: "account", icon: "clock" },
    page: page(() => import("./pages/activity.tsx").then((it) => it.Activity)),
  },
  "/me": {
    title: "Me",
    who: "anyone",
    page: page(() => import("./pages/me.tsx").then((it) => it.Me)),
  },
  "/operator/now": {
    title: "Now",
    who: "operator",
    nav: { group: "operator", icon: "pulse" },
    page: page(() => import("./pages/operator-now.tsx").then((it) => it.OperatorNow)),
  },
  "/operator/publishers": {
    title: "Publishers",
    who: "operator",
    nav: { group: "operator", icon: "building" },
    page: page(() => import("./pages/operator-publishers.tsx").then((it) => it.OperatorPublishers)),
  },
  "/operator/publishers/:publisher": {
    title: "Publisher",
    who: "operator",
    page: page(() => import("./pages/operator-publisher.tsx").then((it) => it.OperatorPublisher)),
  },
  "/operator/users": {
    title: "Users",
    who: "operator",
    nav: { group: "operator", icon: "people" },
    page: page(() => import("./pages/operator-users.tsx").then((it) => it.OperatorUsers)),
  },
  "/operator/advertisers": {
    title: "Advertisers",
    who: "operator",
    nav: { group: "operator", icon: "coins" },
    page: page(() => import("./pages/operator-advertisers.tsx").then((it) => it.OperatorAdvertisers)),
  },
  "/operator/advertisers/:advertiser": {
    title: "Advertiser",
    who: "operator",
    page: page(() => import("./pages/operator-advertiser.tsx").then((it) => it.OperatorAdvertiser)),
  },
  "/operator/offers": {
    title: "All offers",
    who: "operator",
    nav: { group: "operator", icon: "tag" },
    page: page(() => import("./pages/operator-offers.tsx").then((it) => it.OperatorOffers)),
  },
  "/operator/offers/:offer": {
    title: "Offer",
    who: "operator",
    page: page(() => import("./pages/operator-offer.tsx").then((it) => it.OperatorOffer)),
  },
  "/operator/offer-file": {
    title: "Import offers",
    who: "operator",
    page: page(() => import("./pages/operator-offer-file.tsx").then((it) => it.OperatorOfferFile)),
  },
  "/operator/partners": {
    title: "Partners",
    who: "operator",
    nav: { group: "operator", icon: "plug" },
    page: page(() => import("./pages/operator-partners.tsx").then((it) => it.OperatorPartners)),
  },
  "/operator/quality": {
    title: "Traffic quality",
    who: "operator",
    nav: { group: "operator", icon: "shield" },
    page: page(() => import("./pages/operator-quality.tsx").then((it) => it.OperatorQuality)),
  },
};

const pages: readonly PageRow[] = Object.entries(rows).map(([path, row]) => ({ path, ...row }));

/** The pages that somebody may open, with this publisher chosen. */
export function pagesFor(me: Me, publisher: OwnPublisher | null): PageRow[] {
  return pages.filter(({ who }) => {
    if (who === "anyone") return true;
    if (who === "operator") return me.user.isOperator;
    return publisher !== null && ranks[publisher.role] >= ranks[who];
  });
}

/** Whether a page is about the chosen publisher. */
export function isOfPublisher({ who }: PageRow): boolean {
  return who !== "anyone" && who !== "operator";
}

/** Links that lead to a page of ours: others, as that of a CSV file, are the browser's. */
export const pageLinks = new RegExp(
  `^${base}(?:/?|${pages.map(({ path }) => path.replaceAll(/:\w+/g, "[^/?#]+")).join("|")})(?:[?#].*)?$`,
);

/** A page that is fetched when it is opened; a build that is gone since says so. */
function page(load: () => Promise<ComponentType>): ComponentType {
  return lazy(() => load().catch(() => PageNotLoaded));
}

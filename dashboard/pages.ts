import type { Me, OwnPublisher } from "@offers/contract/dash/accounts";
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

/** Every page, in the order of the side bar. A page is one line here and one file in pages/. */
const pages: readonly PageRow[] = [
  {
    path: "/",
    title: "Overview",
    who: "viewer",
    nav: { group: "main", icon: "home" },
    page: page(() => import("./pages/overview.tsx").then((it) => it.Overview)),
  },
  {
    path: "/websites",
    title: "Websites",
    who: "viewer",
    nav: { group: "main", icon: "globe" },
    page: page(() => import("./pages/websites.tsx").then((it) => it.Websites)),
  },
  {
    path: "/start",
    title: "Set up a website",
    who: "viewer",
    page: page(() => import("./pages/start.tsx").then((it) => it.Start)),
  },
  {
    path: "/websites/:key",
    title: "Health",
    who: "viewer",
    page: page(() => import("./pages/website-health.tsx").then((it) => it.WebsiteHealth)),
  },
  {
    path: "/websites/:key/tag",
    title: "Tag",
    who: "viewer",
    page: page(() => import("./pages/website-tag.tsx").then((it) => it.WebsiteTag)),
  },
  {
    path: "/websites/:key/places",
    title: "Places",
    who: "viewer",
    page: page(() => import("./pages/website-places.tsx").then((it) => it.WebsitePlaces)),
  },
  {
    path: "/websites/:key/allowlist",
    title: "Offers allowed",
    who: "viewer",
    page: page(() => import("./pages/website-allowlist.tsx").then((it) => it.WebsiteAllowlist)),
  },
  {
    path: "/websites/:key/look",
    title: "Look and words",
    who: "viewer",
    page: page(() => import("./pages/website-look.tsx").then((it) => it.WebsiteLook)),
  },
  {
    path: "/websites/:key/secrets",
    title: "Secrets",
    who: "viewer",
    page: page(() => import("./pages/website-secrets.tsx").then((it) => it.WebsiteSecrets)),
  },
  {
    path: "/websites/:key/settings",
    title: "Settings",
    who: "viewer",
    page: page(() => import("./pages/website-settings.tsx").then((it) => it.WebsiteSettings)),
  },
  {
    path: "/reports",
    title: "Reports",
    who: "viewer",
    nav: { group: "main", icon: "bars" },
    page: page(() => import("./pages/reports.tsx").then((it) => it.Reports)),
  },
  {
    path: "/websites/:key/simulate",
    title: "Simulate",
    who: "viewer",
    page: page(() => import("./pages/simulate.tsx").then((it) => it.Simulate)),
  },
  {
    path: "/offers",
    title: "Offers",
    who: "viewer",
    nav: { group: "main", icon: "tag" },
    page: page(() => import("./pages/offers.tsx").then((it) => it.Offers)),
  },
  {
    path: "/explain",
    title: "Explain",
    who: "viewer",
    nav: { group: "main", icon: "search" },
    page: page(() => import("./pages/explain.tsx").then((it) => it.Explain)),
  },
  {
    path: "/keys",
    title: "Keys",
    who: "viewer",
    nav: { group: "developers", icon: "key" },
    page: page(() => import("./pages/keys.tsx").then((it) => it.Keys)),
  },
  {
    path: "/apps",
    title: "Connected apps",
    who: "viewer",
    nav: { group: "developers", icon: "plug" },
    page: page(() => import("./pages/apps.tsx").then((it) => it.Apps)),
  },
  {
    path: "/team",
    title: "Team",
    who: "viewer",
    nav: { group: "account", icon: "people" },
    page: page(() => import("./pages/team.tsx").then((it) => it.Team)),
  },
  {
    path: "/activity",
    title: "Activity",
    who: "viewer",
    nav: { group: "account", icon: "clock" },
    page: page(() => import("./pages/activity.tsx").then((it) => it.Activity)),
  },
  {
    path: "/me",
    title: "Me",
    who: "anyone",
    page: page(() => import("./pages/me.tsx").then((it) => it.Me)),
  },
  {
    path: "/operator/now",
    title: "Now",
    who: "operator",
    nav: { group: "operator", icon: "pulse" },
    page: page(() => import("./pages/operator-now.tsx").then((it) => it.OperatorNow)),
  },
  {
    path: "/operator/publishers",
    title: "Publishers",
    who: "operator",
    nav: { group: "operator", icon: "building" },
    page: page(() => import("./pages/operator-publishers.tsx").then((it) => it.OperatorPublishers)),
  },
  {
    path: "/operator/publishers/:publisher",
    title: "Publisher",
    who: "operator",
    page: page(() => import("./pages/operator-publisher.tsx").then((it) => it.OperatorPublisher)),
  },
  {
    path: "/operator/users",
    title: "Users",
    who: "operator",
    nav: { group: "operator", icon: "people" },
    page: page(() => import("./pages/operator-users.tsx").then((it) => it.OperatorUsers)),
  },
  {
    path: "/operator/advertisers",
    title: "Advertisers",
    who: "operator",
    nav: { group: "operator", icon: "coins" },
    page: page(() => import("./pages/operator-advertisers.tsx").then((it) => it.OperatorAdvertisers)),
  },
  {
    path: "/operator/advertisers/:advertiser",
    title: "Advertiser",
    who: "operator",
    page: page(() => import("./pages/operator-advertiser.tsx").then((it) => it.OperatorAdvertiser)),
  },
  {
    path: "/operator/offers",
    title: "All offers",
    who: "operator",
    nav: { group: "operator", icon: "tag" },
    page: page(() => import("./pages/operator-offers.tsx").then((it) => it.OperatorOffers)),
  },
  {
    path: "/operator/offers/:offer",
    title: "Offer",
    who: "operator",
    page: page(() => import("./pages/operator-offer.tsx").then((it) => it.OperatorOffer)),
  },
  {
    path: "/operator/offer-file",
    title: "Import offers",
    who: "operator",
    page: page(() => import("./pages/operator-offer-file.tsx").then((it) => it.OperatorOfferFile)),
  },
  {
    path: "/operator/partners",
    title: "Partners",
    who: "operator",
    nav: { group: "operator", icon: "plug" },
    page: page(() => import("./pages/operator-partners.tsx").then((it) => it.OperatorPartners)),
  },
  {
    path: "/operator/quality",
    title: "Traffic quality",
    who: "operator",
    nav: { group: "operator", icon: "shield" },
    page: page(() => import("./pages/operator-quality.tsx").then((it) => it.OperatorQuality)),
  },
];

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

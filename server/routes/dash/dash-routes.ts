import type { Context } from "../../context.ts";
import type { DashRoute } from "../../http/dash-route.ts";
import { createTurns } from "../explanation-text.ts";
import { activityRoute } from "./activity.ts";
import { allowlistRoutes } from "./allowlist.ts";
import { appRoutes } from "./apps.ts";
import { dashFileRoutes } from "./files.ts";
import { keyRoutes } from "./keys.ts";
import { linkRoutes } from "./links.ts";
import { lookingRoutes } from "./looking.ts";
import { meRoutes } from "./me.ts";
import { operatorAdvertiserRoutes } from "./operator-advertisers.ts";
import { operatorNowRoutes } from "./operator-now.ts";
import { operatorOfferRoutes } from "./operator-offers.ts";
import { operatorPartnerRoutes } from "./operator-partners.ts";
import { operatorPublisherRoutes } from "./operator-publishers.ts";
import { previewRoute } from "./preview.ts";
import { reportRoute } from "./report.ts";
import { secretRoutes } from "./secrets.ts";
import { signInRoutes } from "./sign-in.ts";
import { teamRoutes } from "./team.ts";
import { websiteHealthRoutes } from "./website-health.ts";
import { websiteRoutes } from "./websites.ts";

/** People look at few things at once; each walks the whole catalogue in slices (decisions.md#looking-in-slices). */
const mostWaiting = 8;

/** All that is answered below /dash. The page at every other address comes last. */
export function dashRoutes(context: Context): DashRoute[] {
  const inTurn = createTurns(mostWaiting);
  return [
    ...signInRoutes(context),
    ...linkRoutes(context),
    ...meRoutes(context),
    reportRoute(context),
    ...teamRoutes(context),
    ...operatorNowRoutes(context),
    ...operatorAdvertiserRoutes(context),
    ...operatorOfferRoutes(context),
    ...operatorPublisherRoutes(context),
    ...operatorPartnerRoutes(context),
    ...websiteRoutes(context),
    ...allowlistRoutes(context, inTurn),
    ...secretRoutes(context),
    ...websiteHealthRoutes(context),
    previewRoute(context),
    ...keyRoutes(context),
    ...lookingRoutes(context, inTurn),
    activityRoute(context),
    ...appRoutes(context),
    ...dashFileRoutes(context),
  ];
}

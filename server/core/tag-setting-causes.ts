import { hint, type TagCause } from "./tag-cause.ts";
import type { TagFacts } from "./tag-facts.ts";

/** What keeps blocked visitors from being shown an offer. */
export function offerCauses(facts: TagFacts): TagCause[] {
  const { offers, offersReachSomebody, placesWithoutOffer, blocksSomebody, websiteKey } = facts;
  const button = { kind: "open", page: "allowlist" } as const;
  if (offers.permitted === 0) {
    return offers.active === 0
      ? [
          hint(
            "no_offer_permitted",
            "There is no active offer for this website, so blocked visitors are shown none.",
            "Offers are made by the operator of the service, who also says which publishers may show them.",
            { command: "offer create, or offer import" },
          ),
        ]
      : [
          hint(
            "allowlist_empty",
            `None of ${offers.active} active offers is permitted, so blocked visitors are shown none.`,
            "Permit all of them, or what may be shown.",
            { button, command: `allowlist set --website ${websiteKey} --mode all` },
          ),
        ];
  }
  if (placesWithoutOffer.length > 0) {
    const places = placesWithoutOffer.join(", ");
    return [
      hint(
        "no_offer_for_place",
        `Visitors in ${places} are blocked, and no offer that is permitted covers them.`,
        "Permit more, or have offers made for these places.",
        { button },
      ),
    ];
  }
  if (!blocksSomebody || offersReachSomebody) return [];
  return [
    hint(
      "no_offer_anywhere",
      "No offer that is permitted covers a place whose visitors are blocked.",
      "Permit more, or look at the places that the rule blocks.",
      { button },
    ),
  ];
}

/** What its settings leave undone. */
export function settingCauses(facts: TagFacts): TagCause[] {
  return [
    ...(facts.blocksSomebody
      ? []
      : [
          hint(
            "blocks_nobody",
            "The rule blocks nobody: every visitor sees the page, and no overlay opens.",
            "Name the places whose visitors are to be shown offers.",
            {
              button: { kind: "open", page: "places" },
              command: `website update --website ${facts.websiteKey} --geo-entries GB,US-NJ`,
            },
          ),
        ]),
    ...(facts.isDevelopment && facts.origins.some((origin) => origin.startsWith("https:"))
      ? [
          hint(
            "live_development",
            "It is a development website: all its traffic is test traffic, and nothing is billed.",
            "Before visitors come, say that it is none any more.",
            {
              button: { kind: "open", page: "settings" },
              command: `website update --website ${facts.websiteKey} --not-development`,
            },
          ),
        ]
      : []),
    ...(facts.hasSupportContact
      ? []
      : [
          hint(
            "no_support_contact",
            "A blocked visitor is told nobody to write to.",
            "Name an address for mail, or a page.",
            {
              button: { kind: "open", page: "look" },
              command: `website update --website ${facts.websiteKey} --support-email, or --support-url`,
            },
          ),
        ]),
  ];
}

/**
 * The advertisers of the demo: invented, like their claims. White text stands on `colour`, and `bright` on a dark page.
 */
export type Brand = {
  slug: string;
  name: string;
  vertical: string;
  colour: string;
  bright: string;
  /** The drawing of the logo: SVG content on a 64 by 64 field, in white. */
  glyph: string;
  claim: string;
  lead: string;
  points: readonly (readonly [title: string, text: string])[];
  action: string;
  smallPrint: string;
};

export const brands: readonly Brand[] = [
  {
    slug: "brightwave-energy",
    name: "Brightwave Energy",
    vertical: "Energy",
    colour: "#0b6a72",
    bright: "#5fd0d6",
    glyph: '<path d="M12 40c6-7 12-7 18 0s14 7 22-2"/><circle cx="32" cy="22" r="7" fill="#fff"/>',
    claim: "Power from the tide, at one calm price.",
    lead: "A tariff that is set once a year and stays there, generated where the sea does the work.",
    points: [
      ["One price", "The same rate at breakfast and at midnight, for twelve months."],
      ["Switch in nine minutes", "Bring a meter number. The paperwork with your old supplier is ours."],
      ["Read your own curve", "Every half hour of use, in a chart that loads before the kettle boils."],
    ],
    action: "See my tariff",
    smallPrint: "Twelve-month fixed rate, then the open tariff. Leave at any time without a fee.",
  },
  {
    slug: "orchard-bank",
    name: "Orchard Bank",
    vertical: "Banking",
    colour: "#2f6834",
    bright: "#94d79a",
    glyph: '<path d="M32 54V28M32 44l-8-8M32 38l7-7"/><circle cx="32" cy="25" r="16"/>',
    claim: "An account that grows quietly.",
    lead: "Everyday banking with interest on every balance and no teaser rate to look out for.",
    points: [
      ["Interest by the day", "Paid each month on what was really there, from the first coin."],
      ["Pots for plans", "Set money aside for rent, a roof or a boat, and see each on its own."],
      ["People who answer", "A branch team on the phone from seven to ten."],
    ],
    action: "Open an account",
    smallPrint: "Deposits are protected up to the statutory limit. Rates are variable.",
  },
  {
    slug: "lumen-mobile",
    name: "Lumen Mobile",
    vertical: "Telecom",
    colour: "#6a30ae",
    bright: "#c9a8ff",
    glyph:
      '<path d="M18 42a20 20 0 0 1 28 0"/><path d="M11 33a30 30 0 0 1 42 0"/><circle cx="32" cy="49" r="4" fill="#fff"/>',
    claim: "Signal where the map runs out.",
    lead: "Three networks behind one number. Your phone picks whichever is strongest.",
    points: [
      ["Three masts, one bill", "Coast road, cellar or ferry: the call stays up."],
      ["Roam as at home", "Thirty-eight countries at the price you know."],
      ["No term", "Pay by the month, pause by the month."],
    ],
    action: "Choose a plan",
    smallPrint: "Fair use applies above 80 GB a month while roaming.",
  },
  {
    slug: "skyhop-travel",
    name: "Skyhop Travel",
    vertical: "Travel",
    colour: "#175fae",
    bright: "#8fc3ff",
    glyph:
      '<path d="M10 46c10-24 24-30 44-30"/><path d="m45 9 10 7-8 9"/><circle cx="13" cy="48" r="4" fill="#fff"/>',
    claim: "Short hops, long weekends.",
    lead: "Rail and air in one ticket, to two hundred places you can leave for on a Friday.",
    points: [
      ["Door to door", "Trains, ferries and flights, planned as one journey."],
      ["Missed means rebooked", "A late train never costs you the flight behind it."],
      ["Prices that hold", "What you see on Monday is what you pay until Tuesday."],
    ],
    action: "Find a hop",
    smallPrint: "Fares include taxes and one cabin bag.",
  },
  {
    slug: "verdant-insurance",
    name: "Verdant Insurance",
    vertical: "Insurance",
    colour: "#14674a",
    bright: "#7fdab2",
    glyph: '<path d="M12 34a20 20 0 0 1 40 0z"/><path d="M32 34v13a5 5 0 0 1-10 0"/><path d="M32 14v-4"/>',
    claim: "Cover you can read in one sitting.",
    lead: "Home, travel and bicycle in a policy of four pages, without a single footnote.",
    points: [
      ["Four pages", "If it is not in there, we do not hide behind it."],
      ["Paid in six days", "The median claim of last year, door to account."],
      ["One excess", "The same small amount, whatever broke."],
    ],
    action: "Get my price",
    smallPrint: "Prices depend on postcode and cover chosen.",
  },
  {
    slug: "copperleaf-loans",
    name: "Copperleaf Loans",
    vertical: "Loans",
    colour: "#95470f",
    bright: "#f2b58b",
    glyph: '<path d="M14 50C14 26 28 14 52 14c0 24-12 36-32 36"/><path d="M14 52c8-14 16-20 26-26"/>',
    claim: "Borrow for the roof, not for ever.",
    lead: "Small loans with an end date you choose first. The rate follows from it.",
    points: [
      ["Start with the end", "Pick the month in which it is over; see the cost of each choice."],
      ["No fee to leave early", "Pay it back sooner and the interest simply stops."],
      ["A soft look", "Asking for a rate leaves no trace on your record."],
    ],
    action: "Work out a loan",
    smallPrint: "Example: 4,000 over 24 months at 6.9 % a year is 178.94 a month. Subject to status.",
  },
  {
    slug: "northstar-trading",
    name: "Northstar Trading",
    vertical: "Trading",
    colour: "#1f4394",
    bright: "#a3bcff",
    glyph: '<path d="m32 10 5 17 17 5-17 5-5 17-5-17-17-5 17-5z" fill="#fff"/>',
    claim: "Invest by bearing, not by noise.",
    lead: "Funds and shares with a flat fee, and charts that start at zero.",
    points: [
      ["Flat fee", "One price a month, however often you trade."],
      ["Calm by design", "No confetti, no streaks, no red alarms."],
      ["Papers included", "Tax statements in January, ready to file."],
    ],
    action: "Open a portfolio",
    smallPrint: "The value of investments can fall. You may get back less than you put in.",
  },
  {
    slug: "royal-ace-casino",
    name: "Royal Ace Casino",
    vertical: "Gambling",
    colour: "#8c1738",
    bright: "#ffa3ba",
    glyph:
      '<path d="M32 12c4 9 18 15 18 25a9 9 0 0 1-16 6c0 5 2 8 5 10H25c3-2 5-5 5-10a9 9 0 0 1-16-6c0-10 14-16 18-25z" fill="#fff"/>',
    claim: "A table with the lights on.",
    lead: "Live dealers, published odds, and limits that you set before the first card.",
    points: [
      ["Odds on the door", "The return of each game, beside its name."],
      ["Your limits first", "Money and minutes, chosen before you play and binding after."],
      ["Out in a day", "Winnings leave for your account within 24 hours."],
    ],
    action: "Take a seat",
    smallPrint: "18+. Gambling can become a habit: play for fun, stop when it is none.",
  },
  {
    slug: "quickbite-meals",
    name: "Quickbite Meals",
    vertical: "Food",
    colour: "#b0370f",
    bright: "#ffaf91",
    glyph:
      '<path d="M10 30h44a22 22 0 0 1-44 0z" fill="#fff"/><path d="M24 22c-3-4 3-6 0-10M34 22c-3-4 3-6 0-10"/>',
    claim: "Dinner, twenty minutes from now.",
    lead: "Boxes with six ingredients and a card of six steps. Nothing to measure.",
    points: [
      ["Six and six", "Six things in the box, six lines on the card."],
      ["Skip any week", "Until Wednesday noon, with one tap."],
      ["Little left over", "Weighed portions, and packaging the post takes back."],
    ],
    action: "Pick three meals",
    smallPrint: "First box at half price. Subscription continues until paused.",
  },
  {
    slug: "learnly",
    name: "Learnly",
    vertical: "Education",
    colour: "#573cbb",
    bright: "#b9acff",
    glyph:
      '<path d="M32 20c-6-5-14-6-22-5v30c8-1 16 0 22 5 6-5 14-6 22-5V15c-8-1-16 0-22 5z"/><path d="M32 20v30"/>',
    claim: "An evening class that fits in a tea break.",
    lead: "Languages, code and book-keeping in lessons of twelve minutes, with a teacher at the other end.",
    points: [
      ["Twelve minutes", "One idea a lesson, and a task that proves you have it."],
      ["Marked by people", "Your answers come back with a note by morning."],
      ["A paper at the end", "Certificates that two hundred colleges accept."],
    ],
    action: "Try a lesson",
    smallPrint: "The first course is free; after that 9.50 a month.",
  },
  {
    slug: "fitforge",
    name: "Fitforge",
    vertical: "Fitness",
    colour: "#3a4350",
    bright: "#c3cfdd",
    glyph: '<path d="M20 32h24"/><path d="M14 22v20M20 18v28M44 18v28M50 22v20"/>',
    claim: "Strong enough for the stairs, and then some.",
    lead: "A plan that begins with what you can lift today and adds one kilogram at a time.",
    points: [
      ["Twice a week", "Forty minutes each; the rest of the week is yours."],
      ["Home or hall", "The same plan with a bar, a band or a bucket."],
      ["A coach who looks", "Send a film of a lift, get it back with a line drawn on it."],
    ],
    action: "Begin my plan",
    smallPrint: "Ask a doctor first if you have been ill. Cancel monthly.",
  },
  {
    slug: "homenest",
    name: "Homenest",
    vertical: "Home",
    colour: "#80560c",
    bright: "#f0c777",
    glyph: '<path d="M10 32 32 12l22 20"/><path d="M17 28v22h30V28"/><path d="M27 50V38h10v12"/>',
    claim: "Furniture that has been lived with.",
    lead: "Chairs, shelves and lamps, mended by hand and delivered as if they were new.",
    points: [
      ["Mended, not hidden", "Each piece comes with a list of what was done to it."],
      ["Sit on it for a month", "Thirty days at your table; we collect what does not fit."],
      ["Two people and a van", "Carried up, put together, boxes taken away."],
    ],
    action: "Look around",
    smallPrint: "Delivery within 14 days on the mainland.",
  },
];

/** Stands in for a landing page whose brand this site does not know. */
export const unnamedBrand: Brand = {
  slug: "advertiser",
  name: "An advertiser",
  vertical: "Advertiser",
  colour: "#3d4a5c",
  bright: "#b7c6da",
  glyph: '<path d="M14 26h36l-3 26H17z"/><path d="M24 26v-4a8 8 0 0 1 16 0v4"/>',
  claim: "This is where the offer leads.",
  lead: "The demo has no page for this brand yet, so this one stands in for it.",
  points: [
    ["The click arrived", "Whatever the tracking hop passed on is listed below."],
    ["Nothing is sold here", "Every advertiser of this demo is invented."],
    ["Add your own", "One entry in the list of brands gives it a page and a logo."],
  ],
  action: "Have a look",
  smallPrint: "A demonstration page.",
};

export function brandOf(slug: string): Brand | undefined {
  return brands.find((brand) => brand.slug === slug);
}

/**
 * The advertisers of the demo, one for each brand. None of them exists. The slug names the brand's mark and
 * landing page on the demo site.
 */
export const demoBrands = [
  { slug: "brightwave-energy", brand: "Brightwave Energy", company: "Brightwave Energy Ltd", euros: 1800 },
  { slug: "orchard-bank", brand: "Orchard Bank", company: "Orchard Bank plc", euros: 4000 },
  { slug: "lumen-mobile", brand: "Lumen Mobile", company: "Lumen Mobile GmbH", euros: 1500 },
  { slug: "skyhop-travel", brand: "Skyhop Travel", company: "Skyhop Travel SA", euros: 1250 },
  { slug: "verdant-insurance", brand: "Verdant Insurance", company: "Verdant Insurance AG", euros: 2400 },
  { slug: "copperleaf-loans", brand: "Copperleaf Loans", company: "Copperleaf Credit Ltd", euros: 900 },
  { slug: "northstar-trading", brand: "Northstar Trading", company: "Northstar Markets BV", euros: 2000 },
  { slug: "royal-ace-casino", brand: "Royal Ace Casino", company: "Royal Ace Gaming Ltd", euros: 1600 },
  // Enough for four clicks at its dearest price: the demo shows an advertiser that runs dry.
  { slug: "quickbite-meals", brand: "Quickbite Meals", company: "Quickbite Kitchens GmbH", euros: 2 },
  { slug: "learnly", brand: "Learnly", company: "Learnly Education Inc", euros: 1100 },
  { slug: "fitforge", brand: "Fitforge", company: "Fitforge Athletics Ltd", euros: 700 },
  { slug: "homenest", brand: "Homenest", company: "Homenest Living AB", euros: 950 },
] as const;

export type BrandSlug = (typeof demoBrands)[number]["slug"];

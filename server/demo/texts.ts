/** The texts of one language by an offer's id after `offer_`: title, description, words on the button, disclosure, terms. */
export type DemoTexts = Readonly<
  Record<
    string,
    readonly [title: string, description: string, cta: string, disclosure: string, terms: string]
  >
>;

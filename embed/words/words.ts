/** The texts of the overlay, of sections and of declined applications in one language. */
export type Words = {
  rtl?: true;
  titleCountry: string;
  titleRegion: string;
  titleUnknown: string;
  message: string;
  messageUnknown: string;
  /** Of a page that is there behind the overlay, for readers it was not made for. */
  titleElsewhere: string;
  messageElsewhere: string;
  heading: string;
  /** The label that marks the offers as advertising. */
  sponsored: string;
  /** Of the first place, which is sold: it is no recommendation. */
  featured: string;
  action: string;
  newTab: string;
  /** Of an offer's link, once its visitor has followed it. */
  opened: string;
  terms: string;
  commission: string;
  support: string;
  close: string;
  /** Closes the overlay over a page that is there behind it. */
  goOn: string;
  /** Leaves a page that is not. */
  back: string;
  /** The heading of offers that stand in the page. */
  headingSection: string;
  /** While the publisher's answer to an application is awaited. */
  titleWaiting: string;
  waiting: string;
  /** After it was declined. */
  titleDeclined: string;
  messageDeclined: string;
  ready: string;
  titleNothing: string;
  nothing: string;
  titleFailed: string;
  failed: string;
  /** While the service does not answer. */
  silent: string;
  retry: string;
};

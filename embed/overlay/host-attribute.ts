/**
 * Marks the one element that the overlay puts into a page. The name says nothing that a content blocker's
 * hiding rules or a page's own style could mean.
 */
export const hostAttribute = "data-visit-panel";

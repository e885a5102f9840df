import { createElement, Fragment } from "preact";

/**
 * What compiled JSX calls, in place of Preact's own module of that name: that one carries a second copy of
 * `createElement` and the server's templates, which here would be bytes for nothing. Keys are left out too:
 * what is drawn once is never put into another order.
 */
export function jsx(type: string, props: object) {
  return createElement(type, props);
}

export { Fragment, jsx as jsxs };

/** A report would have more rows than its filter's `mostRows`. */
export class TooManyRows extends Error {}

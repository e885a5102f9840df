/** With what the process that merges a database ends where the database cannot be used. Node ends with 1 when it cannot begin. */
export const unusable = 2;
/** And where the result cannot be written. */
export const unwritten = 3;

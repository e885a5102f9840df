/** With what the process that merges a database ends where the database cannot be used. With 1 it ends, as Node does, for anything else. */
export const unusable = 2;

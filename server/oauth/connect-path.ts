/** Where a person is asked whether a partner may be connected. */
export const connectPattern = "/connect/:uid";

export function connectPath(uid: string): string {
  return connectPattern.replace(":uid", uid);
}

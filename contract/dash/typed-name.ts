/** Whether a name was typed: of white space, a line of a page shows neither its ends nor how much of it stands together. */
export function isTypedName(typed: string, name: string): boolean {
  return shown(typed) === shown(name);
}

const shown = (name: string): string => name.trim().replaceAll(/\s+/g, " ");

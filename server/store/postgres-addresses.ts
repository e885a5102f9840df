/**
 * The addresses that a `DATABASE_URL` names, in their order, each as an address of one host:
 * `postgres://user:password@host:port,host:port/database?option=value`; null when it is none.
 */
export function postgresAddresses(url: string): string[] | null {
  const form =
    /^(?<scheme>postgres(?:ql)?:\/\/)(?<user>[^@/?]*@)?(?<hosts>[^/?]+)(?<rest>\/[^/?]+(?:\?.*)?)$/;
  const parts = form.exec(url)?.groups;
  if (parts === undefined) return null;
  const { scheme = "", user = "", hosts = "", rest = "" } = parts;
  const addresses = hosts.split(",").map((host) => `${scheme}${user}${host}${rest}`);
  return addresses.every((address) => URL.canParse(address)) ? addresses : null;
}

/** An address without what only its user may know. */
export function publicAddress(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

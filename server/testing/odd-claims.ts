/**
 * Headers by which somebody claims to be at another address, at none that can be read, or in another country. None of them
 * may move the caller further than to what the trusted proxies say.
 */
export function addressClaims(address: string): Record<string, string | string[]>[] {
  return [
    ...[
      "X-Real-IP",
      "X-Client-IP",
      "True-Client-IP",
      "CF-Connecting-IP",
      "Fastly-Client-IP",
      "X-Cluster-Client-IP",
    ],
    ...[
      "X-Forwarded",
      "Forwarded-For",
      "X-Original-Forwarded-For",
      "X-ProxyUser-Ip",
      "X-Remote-Addr",
      "Client-IP",
    ],
    ...["X-Envoy-External-Address", "X-Azure-ClientIP", "Fly-Client-IP", "WL-Proxy-Client-IP", "X-Host"],
  ]
    .map((name): Record<string, string | string[]> => ({ [name]: address }))
    .concat([
      { Forwarded: `for=${address};proto=https` },
      { Forwarded: 'for="[2001:db8:1::7]:443"' },
      { Via: `1.1 ${address}` },
      { "CF-IPCountry": "US" },
      { "X-Geo-Country": "US", "X-Country-Code": "US", "CloudFront-Viewer-Country": "US" },
      { "X-Forwarded-For": `${address}:http` },
      { "X-Forwarded-For": `[${address}]` },
      { "X-Forwarded-For": `for=${address}` },
      { "X-Forwarded-For": `${address};203.0.113.7` },
      { "X-Forwarded-For": "0306.063.0144.07" },
      { "X-Forwarded-For": "3325256711" },
      { "X-Forwarded-For": "" },
      { "X-Forwarded-For": ", ,," },
      { "X-Forwarded-For": `${address}, nonsense` },
    ]);
}

import type { ListenRefusal } from "./listen-on-loopback.ts";
import type { DemoSettings } from "./settings.ts";

/** The text that the terminal shows once both are up. */
export function welcome({ demoOrigin, serviceOrigin }: DemoSettings): string {
  return `
  The Affiliate Offer Service is running.

  Start here     ${demoOrigin}/
  Article        ${demoOrigin}/article   a publisher's page with the script tag
  Magazine       ${demoOrigin}/magazine  the same with a section of offers in it
  Loan page      ${demoOrigin}/loan      declined applicants are shown offers
  Preview panel  ${demoOrigin}/preview   visit from any country, watch each call
  Service        ${serviceOrigin}

  Try in another terminal

    A script tag for a page of your own, and what is wrong until it works:
      npm run --silent admin -- setup --origin http://localhost:3000 --block GB,FR

    A decision, as the article asks for it:
      curl -H "Origin: ${demoOrigin}" "${serviceOrigin}/v1/decision?pub=pub_northwind&website=ws_journal"

    The figures of a website's last 30 days:
      npm run --silent admin -- report --website ws_journal

    The offers, as their operator sees them:
      npm run --silent admin -- offer list

  Ctrl+C stops both.
`;
}

export function demoPortProblem(reason: ListenRefusal, port: number): string {
  switch (reason) {
    case "port_taken":
      return `Port ${port} of the demo site is taken. Set DEMO_PORT to a free one, for example DEMO_PORT=${another(port)} npm start.
(Data seeded for another demo port registers that one: give the new port a DATA_DIR of its own.)`;
    case "not_permitted":
      return `Port ${port} of the demo site may not be opened by this user. Set DEMO_PORT to one above 1023.`;
    case "no_such_address":
      return "This machine has no loopback address 127.0.0.1, which the demo site listens on.";
    default:
      return reason satisfies never;
  }
}

export function servicePortProblem(reason: ListenRefusal, host: string, port: number): string {
  switch (reason) {
    case "port_taken":
      return `Port ${port} of the service is taken. Set PORT to a free one, for example PORT=${another(port)} npm start.`;
    case "not_permitted":
      return `Port ${port} of the service may not be opened by this user. Set PORT to one above 1023.`;
    case "no_such_address":
      return `HOST is ${host}, which is no address of this machine.`;
    default:
      return reason satisfies never;
  }
}

function another(port: number): number {
  return port > 64_535 ? port - 1000 : port + 1000;
}

/** The complaint about data that was seeded for a demo site on another port, or not for a demo at all. */
export function otherDemoPort({ demoOrigin }: DemoSettings): string {
  return [
    `The websites in this data do not know ${demoOrigin}: its pages will get no answer.`,
    "Set DEMO_PORT back to what it was when the data was made, or DATA_DIR to a new directory.",
  ].join("\n");
}

import { printChecks, readNumbers } from "./checks.ts";
import { mixedEvents } from "./mixed-events.ts";

// Events of every kind over nodes on one PostgreSQL behind one address.
const options = readNumbers({ events: 100_000, clients: 32, nodes: 2 }, process.argv.slice(2));
const checks = await mixedEvents({ ...options, engine: "postgres" });
process.exitCode = printChecks("Mixed events over nodes on PostgreSQL", checks);

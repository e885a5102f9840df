import { describeOutages } from "./describe-outages.ts";
import { smallOutages } from "./promise-sizes.ts";

describeOutages(smallOutages);

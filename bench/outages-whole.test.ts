import { describeOutages } from "./describe-outages.ts";
import { wholeOutages } from "./promise-sizes.ts";

describeOutages(wholeOutages);

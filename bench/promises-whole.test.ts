import { describePromises } from "./describe-promises.ts";
import { wholeSizes } from "./promise-sizes.ts";

describePromises(wholeSizes);

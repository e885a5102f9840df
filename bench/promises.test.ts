import { describePromises } from "./describe-promises.ts";
import { smallSizes } from "./promise-sizes.ts";

describePromises(smallSizes);

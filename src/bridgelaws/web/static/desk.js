/** The ruling desk: what happened at the table on one side, the ruling on the other. */

import { nav } from "./site.js";

nav("desk");

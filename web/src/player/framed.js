/** The page of a film that another page frames; it is laid out before its film is fitted. */

import "./embedded.js";
import "./main.js";

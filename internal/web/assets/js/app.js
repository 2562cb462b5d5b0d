// Everything a page does beyond being read. Each module finds its own elements and does nothing
// without them.
import { forms } from "./forms.js";
import { live } from "./live.js";

document.documentElement.dataset.js = "";
forms();
live();

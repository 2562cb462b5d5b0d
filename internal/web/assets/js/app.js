// Everything a page does beyond being read. Each module finds its own elements and does nothing
// without them.
import { cards } from "./cards.js";
import { cells } from "./cells.js";
import { copy } from "./copy.js";
import { folds } from "./folds.js";
import { forms } from "./forms.js";
import { keys } from "./keys.js";
import { letters } from "./letters.js";
import { live } from "./live.js";
import { palette } from "./palette.js";
import { reading } from "./reading.js";
import { sheets } from "./sheet.js";
import { theme } from "./theme.js";
import { turns } from "./turn.js";

theme();
keys();
palette();
forms();
copy();
cards();
cells();
folds();
letters();
reading();
sheets();
turns();
live();

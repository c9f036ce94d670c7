/** Enhancements for the pages of a game. */

import "../pages/js/site.js";
import "../pages/js/map-view.js";
import "./order-form.js";
import "./conditional-orders.js";
import "./copy-text.js";
import "./draft-conflict.js";
import "./game-clock.js";
import "./live-game.js";
import "./local-time.js";
import "./map-parts.js";
import "./phase-bar.js";
import "./result-list.js";
import "./table.js";

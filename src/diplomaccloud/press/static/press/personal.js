/** Messages outside a game's pages: across all games, and personal ones. */

import "../pages/js/site.js";
import "./message-time.js";
import "./composer.js";
import "./panel.js";
import "./keyboard.js";

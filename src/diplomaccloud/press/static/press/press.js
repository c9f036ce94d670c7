/** Press: conversations on the game page, on separate pages, and before the draw. */

import "../pages/js/site.js";
import "./message-time.js";
import "./composer.js";
import "./panel.js";
import "./places.js";
import "./keyboard.js";

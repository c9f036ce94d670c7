/** Press: conversations on the game page, on separate pages, and before the draw. */

import "../../pages/js/site.js";
import "../conversations/message-time.js";
import "../conversations/composer.js";
import "./panel.js";
import "./reading-places.js";
import "./keyboard.js";

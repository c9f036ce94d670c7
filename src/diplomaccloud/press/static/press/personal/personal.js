/** Messages outside a game's pages: across all games, and personal ones. */

import "../../pages/js/site.js";
import "../conversations/message-time.js";
import "../conversations/composer.js";
import "../page/panel.js";
import "../page/keyboard.js";

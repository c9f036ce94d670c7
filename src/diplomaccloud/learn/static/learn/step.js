/** Lets a learner order by tapping the board, with the map and the order form of the game page. */

import "../pages/js/map-view.js";
import "../games/order-form.js";
import "./turn-replay.js";

/** Orders of a lesson by tapping its board: the map and the order form of a game’s page. */

import "../pages/js/map-view.js";
import "../games/order-form.js";
import "./turn-replay.js";

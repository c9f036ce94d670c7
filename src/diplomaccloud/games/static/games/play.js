/**
 * Enhancements for the pages of a game. Each runs in its own task, so that a slow device can paint and respond to taps
 * between them; what is seen first comes first.
 */

import "../pages/js/site.js";

const PARTS = [
  () => import("./table.js"),
  () => import("../pages/js/map-view.js"),
  () => import("./order-form.js"),
  () => import("./game-clock.js"),
  () => import("./live-game.js"),
  () => import("./map-parts.js"),
  () => import("./phase-bar.js"),
  () => import("./conditional-orders.js"),
  () => import("./draft-conflict.js"),
  () => import("./result-list.js"),
  () => import("./copy-text.js"),
  () => import("./local-time.js"),
];

for (const load of PARTS) {
  // A hidden page has nothing to paint, and its timers are slow.
  if (!document.hidden) await new Promise((done) => { setTimeout(done); });
  await load();
}

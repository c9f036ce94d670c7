/**
 * Enhancements for the pages of a game. Each runs in its own task, so that a slow device can paint and respond to taps
 * between them; what is seen first comes first.
 */

import "../../pages/js/site.js";

const PARTS = [
  () => import("../table/table.js"),
  () => import("../../pages/js/map-view.js"),
  () => import("../orders/order-form.js"),
  () => import("../orders/order-bar.js"),
  () => import("../deadlines/game-clock.js"),
  () => import("./live-game.js"),
  () => import("./map-parts.js"),
  () => import("../results/phase-bar.js"),
  () => import("../conditional_orders/conditional-orders.js"),
  () => import("../drafts/draft-conflict.js"),
  () => import("../results/result-list.js"),
  () => import("../table/copy-text.js"),
  () => import("../table/local-time.js"),
];

for (const load of PARTS) {
  // A hidden page has nothing to paint, and its timers are slow.
  if (!document.hidden) await new Promise((done) => { setTimeout(done); });
  await load();
}

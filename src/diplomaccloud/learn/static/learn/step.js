/**
 * Lets a learner order by tapping the board, with the map and the order form of the game page. Each part starts once
 * the one before it has been painted, so that a slow device shows the text first and never waits long.
 */

const PARTS = [
  () => import("../pages/js/map-view.js"),
  () => import("../games/orders/order-form.js"),
  () => import("./turn-replay.js"),
];

/** Milliseconds after which the page counts as painted: a page that is hidden meanwhile is not painted. */
const PATIENCE = 1000;

function waitForPaint() {
  return new Promise((done) => {
    requestAnimationFrame(() => { setTimeout(done); });
    setTimeout(done, PATIENCE);
  });
}

for (const load of PARTS) {
  // A hidden page has nothing to paint, and its timers are slow.
  if (!document.hidden) await waitForPaint();
  await load();
}

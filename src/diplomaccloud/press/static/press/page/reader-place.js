/** The reader's place in a scrolling log. */

/** Keeps the reader's place. A log that was hidden, or removed while the server sent the table again, starts at its
 * top; a log that shrinks because of a phone's keyboard hides its end.
 */
export class ReaderPlace {
  /** Record the place in the log `box`. */
  note(box, isAtEnd) {
    if (box.clientHeight) this.place = { top: box.scrollTop, isAtEnd };
  }

  /** Another log replaces this one. */
  forget() {
    this.place = undefined;
  }

  /** The log returns to the page. */
  comeBack() {
    this.isBack = true;
  }

  /** Restore the place in `box` when its height changes; null if there is no log. */
  watch(box) {
    this.stop();
    if (!box) return;
    let height = this.isBack ? 0 : box.clientHeight;
    this.sized = new ResizeObserver(() => {
      const before = height;
      height = box.clientHeight;
      if (!height || height === before) return;
      this.isBack = false;
      if (this.place?.isAtEnd) box.scrollTop = box.scrollHeight;
      else if (this.place && !before) box.scrollTop = this.place.top;
    });
    this.sized.observe(box);
  }

  stop() {
    this.sized?.disconnect();
  }
}

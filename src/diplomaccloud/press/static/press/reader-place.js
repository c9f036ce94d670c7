/** Where the reader of a scrolling log is. */

/**
 * Keeps the reader's place. A log that was hidden, or off the page while the server sent the table again, starts at its
 * top; a log that the keyboard of a phone makes lower hides its end.
 */
export class ReaderPlace {
  /** Note the place in the log `box`. */
  note(box, isAtEnd) {
    if (box.clientHeight) this.place = { top: box.scrollTop, isAtEnd };
  }

  /** Another log takes the place of this one. */
  forget() {
    this.place = undefined;
  }

  /** The log comes back to the page. */
  comeBack() {
    this.isBack = true;
  }

  /** Return to the place in `box` when it gets another height; null if there is no log. */
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

/* The form that creates a game: the visitor's own time zone, and names to choose from. */
class CreateGame extends HTMLElement {
  connectedCallback() {
    const form = this.querySelector("form");
    const names = form.dataset.names.split("|");
    const suggest = this.querySelector("[data-suggest]");
    suggest.hidden = false;
    suggest.addEventListener("click", () => {
      form.elements.world.value = names[0];
      names.push(names.shift());
    });
    this.fillZone(form);
  }

  /* Nobody has chosen a zone yet if it is still UTC. */
  fillZone(form) {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    const known = zone && this.querySelector(`#zones option[value="${CSS.escape(zone)}"]`);
    if (form.elements.zone.value !== "UTC" || !known || zone === "UTC") return;
    form.elements.zone.value = zone;
    // Ask for the summary again: now if htmx already listens, otherwise as soon as it does.
    const speed = form.querySelector("[name=speed]:checked");
    const change = () => speed?.dispatchEvent(new Event("change", { bubbles: true }));
    change();
    form.querySelector(".decision--speed").addEventListener("htmx:after:init", change, { once: true });
  }
}

customElements.define("create-game", CreateGame);

/** `<try-call data-method="…" data-path="…">` around a form: sends the call and shows the response. */

const tokenField = document.getElementById("api-token");
for (const part of document.querySelectorAll("[data-needs-script]")) part.hidden = false;

class TryCall extends HTMLElement {
  connectedCallback() {
    this.form = this.querySelector("form");
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
  }

  async send() {
    const { method } = this.dataset;
    const button = this.form.querySelector("button");
    button.disabled = true;
    try {
      const start = performance.now();
      const answer = await fetch(this.address(), { method, ...this.content(), credentials: "omit", cache: "no-store" });
      const text = await answer.text();
      this.show(`${answer.status} ${answer.statusText} · ${Math.round(performance.now() - start)} ms`, indent(text), answer.ok);
    } catch (error) {
      this.show("The site did not answer.", String(error), false);
    } finally {
      button.disabled = false;
    }
  }

  /** The URL of the call, filled in from the fields. */
  address() {
    let path = this.dataset.path;
    const query = new URLSearchParams();
    for (const field of this.form.querySelectorAll("[data-place]")) {
      const { place } = field.dataset;
      if (place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(field.value.trim()));
      if (place === "query" && field.value) query.set(field.name, field.value);
    }
    return query.size ? `${path}?${query}` : path;
  }

  /** The headers and the body. Each write gets its own idempotency key. */
  content() {
    const headers = {};
    const token = tokenField.value.trim();
    if (token) headers.Authorization = `Bearer ${token}`;
    if (this.dataset.method !== "GET") headers["Idempotency-Key"] = `page-${Date.now()}-${Math.random().toString(36).slice(2)}`;
    for (const field of this.form.querySelectorAll("[data-place=header]")) {
      if (field.value) headers[field.name] = field.value;
    }
    const body = this.form.querySelector("[data-place=body]");
    if (!body) return { headers };
    return { headers: { ...headers, "Content-Type": "application/json" }, body: body.value };
  }

  show(status, text, isGood) {
    const place = this.querySelector(".call__answer");
    const line = place.querySelector(".call__status");
    line.textContent = status;
    line.classList.toggle("call__status--refused", !isGood);
    place.querySelector("pre").textContent = text;
    place.hidden = false;
  }
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

customElements.define("try-call", TryCall);

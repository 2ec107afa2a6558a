// The parts of the report, one of which is shown. The address ends with its name, so that a link can lead to it.

const tab_titles = { timeline: "Timeline", critical: "Critical path", tasks: "Tasks", graph: "Graph", digest: "Digest", changes: "Changes" };

class tab_row {
  constructor(names, changed) {
    this.names = names;
    this.changed = changed;
    this.buttons = new Map(names.map(name => [name, make("button", {
      type: "button", role: "tab", id: `tab_${name}`, "aria-controls": name, onclick: () => this.show(name), onkeydown: event => this.key(event, name),
    }, tab_titles[name])]));
    by_id("tabs").replaceChildren(...this.buttons.values());
    window.addEventListener("hashchange", () => this.show_address());
    this.show_address();
  }

  show_address() {
    const name = location.hash.replace("#/", "");
    this.show(this.names.includes(name) ? name : this.names[0]);
  }

  show(name) {
    if (!this.names.includes(name)) return;
    for (const other of Object.keys(tab_titles)) by_id(other).hidden = other !== name;
    for (const [other, button] of this.buttons) {
      button.setAttribute("aria-selected", String(other === name));
      button.tabIndex = other === name ? 0 : -1;
    }
    document.body.dataset.tab = name;
    // Not the id of the section: the browser would scroll to it.
    if (location.hash !== `#/${name}` && (location.hash || name !== this.names[0])) location.replace(`#/${name}`);
    by_id(name).begin?.();
    this.changed(name);
  }

  key(event, name) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const next = this.names[(this.names.indexOf(name) + step + this.names.length) % this.names.length];
    this.show(next);
    this.buttons.get(next).focus();
  }
}

// A table that is sorted by a click on the head of a column.
//
// columns: {title, value: row -> number or text to sort by, show: row -> text or element, is_text, explain}
// options: {sort: index of the column it begins with, click: row -> ..., most: rows that are shown}

const not_known_last = value => value === null || value === undefined || Number.isNaN(value);

function make_table(columns, rows, options = {}) {
  const sorted = { column: options.sort ?? null, is_up: false };
  const body = make("tbody");
  const note = make("p", { class: "note" });
  const heads = columns.map((column, index) =>
    make("th", { scope: "col", class: column.is_text ? "text" : "number", title: column.explain },
      make("button", { type: "button", onclick: () => sort(index) }, column.title)));
  const table = make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body);

  function sort(index) {
    sorted.is_up = sorted.column === index ? !sorted.is_up : Boolean(columns[index].is_text);
    sorted.column = index;
    fill();
  }

  function compare(a, b) {
    const { value } = columns[sorted.column];
    const [x, y] = [value(a), value(b)];
    if (not_known_last(x) || not_known_last(y)) return not_known_last(x) - not_known_last(y);
    const order = typeof x === "string" ? x.localeCompare(y) : x - y;
    return sorted.is_up ? order : -order;
  }

  function fill() {
    heads.forEach((head, index) => {
      if (index === sorted.column) head.setAttribute("aria-sort", sorted.is_up ? "ascending" : "descending");
      else head.removeAttribute("aria-sort");
    });
    const ordered = sorted.column === null ? rows : [...rows].sort(compare);
    const shown = ordered.slice(0, options.most ?? 1000);
    note.textContent = shown.length < rows.length ? `${shown.length} of ${plural(rows.length, "row")} are shown.` : "";
    body.replaceChildren(...shown.map(row => make_row(columns, row, options)));
  }

  fill();
  return make("div", { class: "table" }, table, note);
}

function make_row(columns, row, options) {
  const cells = columns.map(column => {
    const shown = column.show ? column.show(row) : String(column.value(row));
    return make("td", { class: column.is_text ? "text" : "number" }, shown);
  });
  if (!options.click) return make("tr", {}, ...cells);
  const act = () => options.click(row);
  const element = make("tr", { tabindex: 0, class: "clickable", title: options.click_title, onclick: act, onkeydown: event => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      act();
    }
  } }, ...cells);
  return element;
}

// A number with a bar behind it, for shares.
const share_cell = (share, color = "var(--accent)") =>
  not_known_last(share) ? "" : make("span", { class: "share" },
    make("span", { class: "share_bar" }, make("span", { style: `width:${Math.min(100, share * 100)}%;background:${color}` })), make("span", { class: "share_text" }, format_share(share)));

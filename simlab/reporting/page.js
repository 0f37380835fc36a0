"use strict";
// Tables of a page: sorted by a click, copied as CSV. A page without this script shows the same.
(() => {
  const make = (name, className, text = "") => {
    const element = document.createElement(name);
    element.className = className;
    element.textContent = text;
    return element;
  };

  // --- copying -----------------------------------------------------------------------------------

  const byHand = (text) => {
    const held = document.activeElement;
    const area = make("textarea", "unseen");
    area.value = text;
    area.readOnly = true;
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    held?.focus();
    if (!done) throw new Error("not copied");
  };

  const copy = async (text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      byHand(text);
    }
  };

  const copier = (label, of, text) => {
    const press = make("button", "copy", label);
    press.type = "button";
    if (of) press.setAttribute("aria-label", `${label}: ${of}`);
    const said = make("span", "said");
    said.setAttribute("role", "status");
    press.addEventListener("click", async () => {
      said.textContent = "";
      try {
        await copy(text());
        said.textContent = "Copied";
      } catch {
        said.textContent = "This browser does not let the page copy";
      }
      setTimeout(() => { said.textContent = ""; }, 4000);
    });
    const tools = make("p", "tools");
    tools.append(press, said);
    return tools;
  };

  // --- tables ------------------------------------------------------------------------------------

  const LIMITS = { inf: Infinity, "-inf": -Infinity, nan: null };

  // What a cell is sorted by: a number, a text, or null where nothing is known.
  const known = (cell) => {
    const shown = cell.firstElementChild;
    if (shown.className === "missing") return null;
    if (shown.dataset.value === undefined) return shown.textContent;
    const value = shown.dataset.value;
    return value in LIMITS ? LIMITS[value] : Number(value);
  };

  const compare = (a, b) =>
    typeof a === "number" && typeof b === "number"
      ? (a > b) - (a < b)
      : String(a).localeCompare(String(b), "en", { numeric: true });

  const sort = (body, place, direction) => {
    const rows = [...body.rows].map((row) => [known(row.cells[place]), row]);
    rows.sort(([a], [b]) =>
      a === null || b === null ? (a === null) - (b === null) : direction * compare(a, b));
    body.append(...rows.map(([, row]) => row));
  };

  const sortable = (heads, head, body) => {
    const cell = head.closest("th");
    const press = make("button", "sort");
    press.type = "button";
    head.replaceWith(press);
    press.append(head);
    press.addEventListener("click", () => {
      const first = head.className === "number" ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = cell.getAttribute("aria-sort") === first ? other : first;
      for (const each of heads) each.closest("th").removeAttribute("aria-sort");
      cell.setAttribute("aria-sort", order);
      sort(body, Number(head.dataset.place), order === "ascending" ? 1 : -1);
    });
  };

  // As RFC 4180 has it.
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

  const full = (cell) => {
    const shown = cell.firstElementChild;
    return shown.className === "missing" ? "" : shown.dataset.value ?? shown.textContent;
  };

  const csv = (heads, body) => {
    const lines = [...body.rows].map((row) => [...row.cells].map(full));
    lines.unshift(heads.map((head) => head.dataset.column));
    return lines.map((line) => `${line.map(quoted).join(",")}\r\n`).join("");
  };

  for (const table of document.querySelectorAll("table.gt_table")) {
    const [body] = table.tBodies;
    const heads = [...table.querySelectorAll("thead [data-column]")];
    if (!body || !heads.length) continue;
    heads.sort((a, b) => a.dataset.place - b.dataset.place);
    if (body.rows.length > 1) for (const head of heads) sortable(heads, head, body);
    const label = table.getAttribute("aria-label");
    const tools = copier("Copy as CSV", label, () => csv(heads, body));
    if (body.rows.length > 1) tools.lastChild.before(make("span", "hint", "A click on a heading sorts."));
    table.parentElement.after(tools);
  }

  for (const command of document.querySelectorAll("pre")) {
    command.after(copier("Copy", "the command", () => command.textContent));
  }

  // --- print -------------------------------------------------------------------------------------

  const closed = [];
  addEventListener("beforeprint", () => {
    closed.push(...document.querySelectorAll("details:not([open])"));
    for (const each of closed) each.open = true;
  });
  addEventListener("afterprint", () => {
    for (const each of closed.splice(0)) each.open = false;
  });
})();

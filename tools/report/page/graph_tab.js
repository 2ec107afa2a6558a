// One pass of each loop or trace, as a graph: what waits for what.

const svg_names = "http://www.w3.org/2000/svg";

function make_svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(svg_names, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function fill_graph_tab(run, colors) {
  const section = by_id("graph");
  if (run.graphs.length === 0) {
    section.replaceChildren(make("h2", {}, "Graph"), make("p", { class: "note" }, "The run has no loop or trace whose passes are remembered."));
    return;
  }
  const picture = make("div", { class: "graph" });
  const note = make("p", { class: "note" });
  const show = index => show_graph(run.graphs[index], colors, picture, note);
  const choice = make("select", { id: "graph_choice", onchange: event => show(Number(event.target.value)) },
    ...run.graphs.map((graph, index) => make("option", { value: index }, `${graph.title}: ${plural(graph.nodes.length, "node")}, ${plural(graph.passes, "pass").replace("passs", "passes")}`)));
  section.replaceChildren(make("div", { class: "tools" }, make("label", { for: "graph_choice" }, "One pass of "), choice,
    make("button", { type: "button", onclick: () => picture.fit?.() }, "Whole graph")), note, picture);
  // An SVG that isn't shown has no size to fit into.
  let is_drawn = false;
  section.begin = () => {
    if (is_drawn) return;
    is_drawn = true;
    show(0);
  };
}

function show_graph(graph, colors, picture, note) {
  const layout = graph_layout(graph);
  note.textContent = [layout.note, "Columns are what can run at the same time at best; an edge leads to what waits."].filter(Boolean).join(". ");
  const scene = make_svg("g");
  const mark = make_svg("marker", { id: "arrow_head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: "auto" }, make_svg("path", { d: "M0 0L8 4L0 8z", class: "arrow_head" }));
  const svg = make_svg("svg", { tabindex: 0, role: "img", "aria-label": `Graph of ${graph.title}: ${plural(graph.nodes.length, "node")}` }, make_svg("defs", {}, mark), scene);
  const edge_elements = layout.edges.map(([from, to]) => draw_edge(layout.boxes.get(from), layout.boxes.get(to)));
  scene.append(...edge_elements);
  for (const [index, box] of layout.boxes) {
    const node = draw_node(graph.nodes[index], box, colors);
    const light_up = is_on => layout.edges.forEach(([from, to], edge) => {
      if (from === index || to === index) edge_elements[edge].classList.toggle("lit", is_on);
    });
    node.addEventListener("pointerenter", () => light_up(true));
    node.addEventListener("pointerleave", () => light_up(false));
    scene.append(node);
  }
  picture.replaceChildren(svg);
  make_movable(svg, scene, layout, picture);
}

function draw_edge(from, to) {
  const x0 = from.x + node_width, y0 = from.y + node_height / 2, x1 = to.x - 2, y1 = to.y + node_height / 2;
  const bend = Math.max(24, Math.abs(x1 - x0) / 2);
  return make_svg("path", { class: "edge", d: `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`, "marker-end": "url(#arrow_head)" });
}

const cut = (text, most) => text.length > most ? text.slice(0, most - 1) + "\u2026" : text;

function draw_node(node, box, colors) {
  const name = node.name || "without a name";
  const color = colors.named(node.name);
  const ink = ink_on(color);
  const details = [(node.details ?? "").replace(/^, /, ""), node.rank === undefined ? "" : `rank ${node.rank}`, Number.isFinite(node.mean) ? format_seconds(node.mean) : ""].filter(Boolean).join(", ");
  return make_svg("g", { transform: `translate(${box.x} ${box.y})`, class: "node" },
    make_svg("title", {}, `${name}${node.details ?? ""}\nrank ${node.rank}\nmean: ${format_seconds(node.mean)}`),
    make_svg("rect", { width: node_width, height: node_height, rx: 4, fill: color }),
    make_svg("text", { x: 9, y: 17, fill: ink, class: "node_name" }, cut(name, 24)),
    make_svg("text", { x: 9, y: 32, fill: ink, class: "node_details" }, cut(details, 28)));
}

const least_readable = 0.4;

// Wheel, drag and keys move and scale the graph.
function make_movable(svg, scene, layout, picture) {
  let x = 0, y = 0, scale = 1;
  const place = () => scene.setAttribute("transform", `translate(${x} ${y}) scale(${scale})`);
  const zoom = (factor, at_x, at_y) => {
    const next = Math.min(Math.max(scale * factor, 0.02), 4);
    x = at_x - (at_x - x) * next / scale;
    y = at_y - (at_y - y) * next / scale;
    scale = next;
    place();
  };
  picture.fit = () => {
    const { clientWidth, clientHeight } = picture;
    scale = Math.min(1.25, Math.max(0.02, Math.min((clientWidth - 32) / layout.width, (clientHeight - 32) / layout.height)));
    x = Math.max(16, (clientWidth - layout.width * scale) / 2);
    y = Math.max(16, (clientHeight - layout.height * scale) / 2);
    place();
  };
  svg.addEventListener("wheel", event => {
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    zoom(Math.exp(-Math.min(Math.max(event.deltaY, -240), 240) * 0.002), event.clientX - box.left, event.clientY - box.top);
  }, { passive: false });
  listen_to_drags(svg, event => {
    const start = { x: x - event.clientX, y: y - event.clientY };
    return { move: moving => { x = start.x + moving.clientX; y = start.y + moving.clientY; place(); }, end: () => {} };
  });
  svg.addEventListener("keydown", event => {
    const middle = [svg.clientWidth / 2, svg.clientHeight / 2];
    const moves = { ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] };
    if (event.key === "w" || event.key === "+") zoom(1.25, ...middle);
    else if (event.key === "s" || event.key === "-") zoom(0.8, ...middle);
    else if (event.key === "0") picture.fit();
    else if (moves[event.key]) { x += moves[event.key][0]; y += moves[event.key][1]; place(); }
    else return;
    event.preventDefault();
  });
  picture.fit();
  if (scale < least_readable) { // its begin, then
    scale = least_readable;
    x = y = 16;
    place();
  }
}

// Where the nodes of a graph are drawn: their column and row come with the run. Of graphs that are too large to be read the first
// rows are drawn, and if there are too many columns, the first columns of these.

const node_width = 168, node_height = 40, column_distance = 232, row_distance = 54;
const most_nodes = 1200, most_edges = 6000, least_rows = 20;

function graph_layout(graph) {
  const shown = first_nodes(graph.nodes);
  const boxes = new Map(shown.map(index => {
    const { column, row } = graph.nodes[index];
    return [index, { x: column * column_distance, y: row * row_distance }];
  }));
  const edges = graph.edges.filter(([from, to]) => boxes.has(from) && boxes.has(to));
  const far = name => [...boxes.values()].reduce((most, box) => Math.max(most, box[name]), 0);
  const notes = [];
  if (shown.length < graph.nodes.length) notes.push(`${format_count(shown.length)} of ${format_count(graph.nodes.length)} nodes are drawn, those in front and above`);
  if (edges.length > most_edges) notes.push(`${format_count(most_edges)} of ${format_count(edges.length)} edges between them are drawn`);
  return { boxes, edges: edges.slice(0, most_edges), width: far("x") + node_width, height: far("y") + node_height, note: notes.join("; ") };
}

// Rows first: what follows what is along them.
function first_nodes(nodes) {
  const all = nodes.map((_, index) => index);
  if (nodes.length <= most_nodes) return all;
  const by_row = [...all].sort((a, b) => nodes[a].row - nodes[b].row);
  const last_row = Math.max(least_rows, nodes[by_row[most_nodes]].row) - 1;
  return all.filter(index => nodes[index].row <= last_row).sort((a, b) => nodes[a].column - nodes[b].column).slice(0, most_nodes);
}

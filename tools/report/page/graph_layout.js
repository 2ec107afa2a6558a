// Where the nodes of a graph are drawn: their column and row come with the run. Graphs that are too large to be read are cut off
// behind a column.

const node_width = 168, node_height = 40, column_distance = 232, row_distance = 54;
const most_nodes = 1200, most_edges = 6000;

function graph_layout(graph) {
  const order = graph.nodes.map((_, index) => index).sort((a, b) => graph.nodes[a].column - graph.nodes[b].column || graph.nodes[a].row - graph.nodes[b].row);
  const shown = new Set(order.slice(0, most_nodes));
  const edges = graph.edges.filter(([from, to]) => shown.has(from) && shown.has(to));
  const boxes = new Map();
  for (const index of shown) {
    const { column, row } = graph.nodes[index];
    boxes.set(index, { x: column * column_distance, y: row * row_distance });
  }
  const far = name => [...boxes.values()].reduce((most, box) => Math.max(most, box[name]), 0);
  const notes = [];
  if (shown.size < graph.nodes.length) notes.push(`${format_count(shown.size)} of ${format_count(graph.nodes.length)} nodes are drawn, the first columns of them`);
  if (edges.length > most_edges) notes.push(`${format_count(most_edges)} of ${format_count(edges.length)} edges between them are drawn`);
  return { boxes, edges: edges.slice(0, most_edges), width: far("x") + node_width, height: far("y") + node_height, note: notes.join("; ") };
}

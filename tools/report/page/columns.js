// The columns of numbers: base64, compressed, little-endian.

const column_types = { f64: Float64Array, f32: Float32Array, u32: Uint32Array, u8: Uint8Array };

function bytes_of_base64(text) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(text);
  text = text.replace(/\s+/g, "");
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  const piece = 1 << 20; // a multiple of 4, and no more than a string should have at once
  for (let at = 0, to = 0; at < text.length; at += piece) {
    const part = atob(text.slice(at, at + piece));
    for (let i = 0; i < part.length; ++i) bytes[to++] = part.charCodeAt(i);
  }
  return bytes;
}

async function inflated(bytes) {
  if (typeof DecompressionStream === "undefined")
    throw new Error("this browser can't decompress; Firefox 113, Chromium 92 and later ones can");
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

// A function that gives the numbers of a column as a typed array. No column, no numbers.
async function read_columns() {
  const element = by_id("columns");
  const text = element.textContent.trim();
  element.textContent = ""; // megabytes that nobody needs twice
  const buffer = text === "" ? new ArrayBuffer(0) : await inflated(bytes_of_base64(text));
  return column => {
    if (!column || !column.count) return new (column_types[column?.type] ?? Float64Array)(0);
    return new column_types[column.type](buffer, column.at, column.count);
  };
}

// Elements of the page.

const by_id = id => document.getElementById(id);

// An element with attributes, listeners ("onclick": function), and children that are elements or texts.
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") element.style.cssText = value;
    else if (value !== undefined && value !== null && value !== false) element.setAttribute(name, value);
  }
  element.append(...children.filter(child => child !== null && child !== undefined));
  return element;
}

// In place of what was there. Children that are null are left out.
function fill(element, ...children) {
  element.replaceChildren(...children.filter(child => child !== null && child !== undefined));
}

const swatch = color => make("span", { class: "swatch", style: `background:${color}`, "aria-hidden": "true" });

// A canvas whose pixels are those of the screen. Its `width` and `height` are in CSS pixels, `ratio` tells how many pixels of
// the screen are one of those.
class sharp_canvas {
  constructor(element) {
    this.element = element;
    this.pen = element.getContext("2d");
    this.width = this.height = 0;
    this.ratio = 1;
  }

  // To be called before drawing: clears it, and follows changes of its size.
  begin(width = this.element.clientWidth, height = this.element.clientHeight) {
    this.ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.height = height;
    const pixels_x = Math.max(1, Math.round(width * this.ratio));
    const pixels_y = Math.max(1, Math.round(height * this.ratio));
    if (this.element.width !== pixels_x || this.element.height !== pixels_y) {
      this.element.width = pixels_x;
      this.element.height = pixels_y;
    } else {
      this.pen.setTransform(1, 0, 0, 1, 0, 0);
      this.pen.clearRect(0, 0, pixels_x, pixels_y);
    }
    this.pen.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
    this.pen.textAlign = "left";
    this.pen.textBaseline = "middle";
    this.pen.lineWidth = 1;
    return this.pen;
  }
}

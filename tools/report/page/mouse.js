// The timeline by mouse.

const moved_pixels = 4; // less is a click

function listen_to_wheel(scene) {
  const wheel = event => {
    const box = scene.scroller.getBoundingClientRect();
    const x = event.clientX - box.left;
    const step = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const dx = event.deltaX * step, dy = event.deltaY * step;
    if (x < gutter || event.shiftKey) {
      scene.scroller.scrollTop += dy || dx;
    } else if (Math.abs(dx) > Math.abs(dy)) {
      scene.view.move(dx / scene.width());
    } else {
      const limited = Math.min(Math.max(dy, -240), 240);
      scene.view.zoom(Math.exp(limited * (event.ctrlKey ? 0.01 : 0.0022)), scene.moment_at(x));
    }
    event.preventDefault();
  };
  for (const id of ["lanes_scroll", "axis", "parallelism"]) by_id(id).addEventListener("wheel", wheel, { passive: false });
}

// Calls `began(event)`, which returns what to do while the mouse moves and at the end, or nothing.
function listen_to_drags(element, began) {
  element.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    const drag = began(event);
    if (!drag) return;
    element.setPointerCapture(event.pointerId);
    const move = moving => drag.move(moving);
    const end = ending => {
      element.removeEventListener("pointermove", move);
      element.removeEventListener("pointerup", end);
      element.removeEventListener("pointercancel", end);
      drag.end(ending);
    };
    element.addEventListener("pointermove", move);
    element.addEventListener("pointerup", end);
    element.addEventListener("pointercancel", end);
  });
}

function drag_range(scene, start_x) {
  const box = scene.scroller.getBoundingClientRect();
  const moment = x => Math.min(Math.max(scene.moment_at(Math.max(gutter, x)), 0), scene.run.end_ns);
  const start = moment(start_x);
  return {
    move: event => {
      const now = moment(event.clientX - box.left);
      scene.range = { from: Math.min(start, now), to: Math.max(start, now) };
      scene.wish_draw();
    },
    end: () => scene.select_range(scene.range && scene.range.to > scene.range.from ? scene.range : null),
  };
}

function drag_view(scene, event, x, y) {
  const { from } = scene.view;
  const length = scene.view.length(), scrolled = scene.scroller.scrollTop;
  let has_moved = false;
  return {
    move: moving => {
      const dx = moving.clientX - event.clientX, dy = moving.clientY - event.clientY;
      has_moved ||= Math.hypot(dx, dy) >= moved_pixels;
      if (!has_moved) return;
      by_id("lanes_scroll").classList.add("moving");
      const start = from - dx / scene.width() * length;
      scene.view.show(start, start + length);
      scene.scroller.scrollTop = scrolled - dy;
    },
    end: () => {
      by_id("lanes_scroll").classList.remove("moving");
      if (!has_moved) click(scene, x, y);
    },
  };
}

function click(scene, x, y) {
  const row = scene.rows.at(y + scene.scroller.scrollTop);
  if (row?.kind === "rank") {
    scene.rows.toggle(row.rank);
    scene.place_rows();
  } else if (x >= gutter) {
    scene.select(span_under(scene, x, y));
  }
}

// In the strip of the whole run: within the frame the view is moved, beside it a new one is chosen.
function drag_overview(scene, event) {
  const box = by_id("overview").getBoundingClientRect();
  const moment = x => (x - box.left - gutter) / scene.width() * scene.run.end_ns;
  const start = moment(event.clientX);
  const { from, to } = scene.view;
  const is_whole = to - from > 0.95 * scene.run.end_ns;
  if (!is_whole && start >= from && start <= to)
    return { move: moving => scene.view.show(from + moment(moving.clientX) - start, to + moment(moving.clientX) - start), end: () => {} };
  return {
    move: moving => {
      const now = moment(moving.clientX);
      if (Math.abs(moving.clientX - event.clientX) >= moved_pixels) scene.view.show(Math.min(start, now), Math.max(start, now));
    },
    end: ending => {
      if (Math.abs(ending.clientX - event.clientX) < moved_pixels && !is_whole) scene.view.show(start - (to - from) / 2, start + (to - from) / 2);
    },
  };
}

function listen_to_mouse(scene) {
  listen_to_wheel(scene);
  const hovered = new hover(scene);
  const lanes = by_id("lanes");
  const place = event => {
    const box = scene.scroller.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  lanes.addEventListener("pointermove", event => {
    if (event.buttons) hovered.leave();
    else hovered.move(...place(event));
  });
  lanes.addEventListener("pointerleave", () => hovered.leave());
  scene.scroller.addEventListener("scroll", () => hovered.leave());
  listen_to_drags(lanes, event => {
    const [x, y] = place(event);
    hovered.leave();
    return event.shiftKey && x >= gutter ? drag_range(scene, x) : drag_view(scene, event, x, y);
  });
  by_id("parallelism").addEventListener("pointermove", event => {
    if (!event.buttons) hovered.tell_of_parallelism(place(event)[0], by_id("parallelism").offsetTop + event.offsetY);
  });
  by_id("parallelism").addEventListener("pointerleave", () => hovered.leave());
  for (const id of ["axis", "parallelism"])
    listen_to_drags(by_id(id), event => drag_range(scene, place(event)[0]));
  listen_to_drags(by_id("overview"), event => drag_overview(scene, event));
  by_id("overview").addEventListener("dblclick", () => scene.view.show_all());
}

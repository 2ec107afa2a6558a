// What the run was, what is wrong with it, and the sentences about it.

const words_shown = 3;

function fill_header(run) {
  document.title = run.title ? `${run.title} - Rondo report` : "Rondo report";
  fill_title(run.title || "Rondo report");
  const facts = [run.when, run.hardware, `ran ${format_seconds(run.seconds ?? 0)}`, plural(run.count, "span"),
    run.skew_ns ? `clocks agree to ${format_ns(run.skew_ns)}` : ""];
  by_id("facts").replaceChildren(...facts.filter(Boolean).map(fact => make("span", {}, fact)));
  const warnings = [];
  if (run.failure) warnings.push(make("p", { class: "failure" }, make("b", {}, "The program has failed: "), run.failure));
  if (run.dropped > 0) warnings.push(make("p", { class: "warning" }, `${plural(run.dropped, "event")} had no room: the oldest ones are missing, and all numbers are those of the rest.`));
  by_id("warnings").replaceChildren(...warnings);
  by_id("words").replaceChildren(...words_of(run.words));
}

// A long command line is cut after two lines, until one clicks on it.
function fill_title(text) {
  const title = by_id("title");
  title.textContent = text;
  title.title = text;
  title.addEventListener("click", () => title.classList.toggle("whole"));
}

function words_of(words) {
  if (words.length === 0) return [];
  const list = sentences => make("ul", { class: "sentences" }, ...sentences.map(sentence => make("li", {}, sentence)));
  if (words.length <= words_shown) return [list(words)];
  return [list(words.slice(0, words_shown)),
    make("details", {}, make("summary", {}, `${words.length - words_shown} more`), list(words.slice(words_shown)))];
}

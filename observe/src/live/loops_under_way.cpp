#include "loops_under_way.hpp"

#include <algorithm>
#include <string_view>

#include "../names.hpp"

namespace rondo::detail::inline observe {

namespace {

bool is_same_place(const std::source_location& a, const std::source_location& b) {
  return a.line() == b.line() && a.column() == b.column() &&
         std::string_view(a.file_name()) == b.file_name();
}

std::string place_of(const pass_info& p) {
  return p.name[0] != '\0' ? std::string(p.name) : short_place(p.where);
}

} // namespace

/// Guards have no number, since a trace does not know of its loop.
bool loops_under_way::loop::is_of(const pass_info& p) const {
  return of.kind == p.kind && of.flow == p.flow && of.loop == p.loop &&
         (p.kind != pass_info::kind_type::guard || is_same_place(of.where, p.where));
}

bool loops_under_way::loop::is_at_place_of(const loop& other) const {
  return of.kind == other.of.kind && of.flow == other.of.flow &&
         is_same_place(of.where, other.of.where);
}

loops_under_way::loop* loops_under_way::found(const pass_info& p) {
  if(view_.number != 0 && shown_.is_of(p))
    return &shown_;
  const auto at = std::ranges::find_if(open_, [&p](const loop& l) { return l.is_of(p); });
  return at != open_.end() ? &*at : nullptr;
}

/// An inner loop begins while the loop around it has a pass under way, and ends before that does. So what begins otherwise is no inner one.
void loops_under_way::begun(const pass_info& p, double now) {
  if(loop* const known = found(p)) {
    known->open += p.count;
    has_done_some_ = has_done_some_ || known == &shown_;
    return;
  }
  const bool is_shown_open = view_.number != 0 && shown_.open != 0;
  const loop l{.of = p,
    .begun = now,
    .open = p.count,
    .is_within = is_shown_open && shown_.of.kind == pass_info::kind_type::guard};
  if(view_.number == 0)
    show(l);
  else if(!is_shown_open && l.is_at_place_of(shown_))
    show_next(l);
  else
    open_.push_back(l);
}

void loops_under_way::over(const pass_info& p, bool has_run, double now) {
  loop* const l = found(p);
  if(l == nullptr)
    return; // it began before anybody looked
  l->open -= std::min(l->open, p.count);
  if(has_run)
    l->done = l->is_repeat() ? p.number + p.count : l->done + p.count;
  if(l == &shown_) {
    has_done_some_ = true;
    view_.ended = now;
    note_passes();
    if(shown_.open == 0)
      show_next_at_place();
  }
  else if(l->open == 0) {
    if(l->is_at_place_of(shown_)) { // it was as fast as the one before
      before_ += l->done;
      ++view_.loops;
      note_passes();
    }
    open_.erase(open_.begin() + (l - open_.data()));
  }
}

/// Loops at the same place may have been launched ahead.
void loops_under_way::show_next_at_place() {
  const auto next =
    std::ranges::find_if(open_, [this](const loop& l) { return l.is_at_place_of(shown_); });
  if(next == open_.end())
    return;
  const loop l = *next;
  open_.erase(next);
  show_next(l);
}

void loops_under_way::ended(const task_id& t) {
  if(view_.number == 0 || !shown_.is_repeat() || t.flow != shown_.of.flow ||
     t.number != shown_.of.loop || t.pass <= shown_.done)
    return;
  shown_.done = t.pass;
  has_done_some_ = true;
  note_passes();
}

void loops_under_way::note_passes() {
  view_.of_this = shown_.done;
  view_.passes = before_ + shown_.done;
}

/// One that has nothing to do with what was there before.
void loops_under_way::show(const loop& l) {
  view_ = {.number = view_.number + 1,
    .place = place_of(l.of),
    .begun = l.begun,
    .ended = l.begun,
    .is_repeat = l.is_repeat()};
  before_ = 0;
  shown_ = {};
  show_next(l);
}

/// One at the same place.
void loops_under_way::show_next(const loop& l) {
  before_ += shown_.done;
  shown_ = l;
  ++view_.loops;
  view_.most = l.is_repeat() ? l.of.count : l.of.most;
  view_.may_end_before = !l.is_repeat();
  view_.id = l.of.loop;
  has_done_some_ = true;
  note_passes();
}

loop_now loops_under_way::look() {
  if(view_.number != 0 && shown_.open == 0 && !has_done_some_) {
    const auto next = std::ranges::find(open_, false, &loop::is_within);
    if(next != open_.end()) {
      const loop l = *next;
      open_.erase(next);
      show(l);
    }
  }
  has_done_some_ = false;
  return view_;
}

} // namespace rondo::detail::inline observe

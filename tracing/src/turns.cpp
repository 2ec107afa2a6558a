// Passes of a trace that take turns between templates, since two buffers change places, say. Templates hand regions over to one
// another, which takes longer than to analyse the launches. So such passes are left to the flow, which finds a period of several
// passes as it does without guards. docs/protocols/trace.md, "Passes that take turns".

#include <rondo/tracing/flow.hpp>
#include <rondo/tracing/trace.hpp>

namespace rondo {

namespace {
/// Passes in a row, each with another template than the one before.
constexpr std::uint64_t many_turns = 16;
/// Launches after which the flow must have found something, and replayed half of them.
constexpr std::uint64_t enough_launches = 4096;
} // namespace

/// The guards of parts, and those in other guards, stay what they are: what comes between is not the loop's.
bool trace::takes_turns(const flow& f) const {
  return turns_ >= many_turns && may_leave_ && f.finds_repeats_ != 0 && whole_ == nullptr &&
         parts_.empty() && around_ == nullptr;
}

void trace::leave_passes(flow& f) {
  try {
    for(variant& v : variants_)
      f.bury(std::move(v.made));
  }
  catch(...) { // no memory: another time
    std::erase_if(variants_, [](const variant& v) { return v.made == nullptr; });
    for(variant& v : variants_)
      v.then = none;
    last_ = none;
    turns_ = 0;
    return;
  }
  variants_.clear();
  last_ = none;
  run_ = 0;
  turns_ = 0;
  are_left_ = true;
  left_since_ = {told_.passes, f.launched(), f.repeats().launches};
}

/// Returns false, once and for all, if the flow does not find what there is to find.
bool trace::are_passes_left(flow& f) {
  const std::uint64_t launched = f.launched() - left_since_.launched;
  if(launched < enough_launches)
    return true;
  const std::uint64_t found = f.repeats().launches - left_since_.found;
  left_since_ = {told_.passes, f.launched(), f.repeats().launches};
  if(2 * found < launched)
    are_left_ = may_leave_ = false;
  return are_left_;
}

void trace::begin_left_pass(flow& f, const std::source_location& where) {
  f.launch_gathered();
  is_left_ = true;
  skip_ = false;
  where_ = where;
  ++told_.passes;
  is_told_ = f.is_any(flow::observed);
  if(is_told_)
    tell_pass(f, &observer::pass_begun);
}

void trace::end_left_pass(flow& f) {
  if(f.gatherer_ != nullptr)
    launch_remaining(f);
  is_left_ = false;
  ++told_.left;
  if(is_told_)
    tell_pass(f, &observer::pass_ended);
}

} // namespace rondo

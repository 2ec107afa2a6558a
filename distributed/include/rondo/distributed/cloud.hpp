#pragma once

/// \file
/// Files that show particles, and values in rows of ragged fields: each is a point with a position of its own, and with numbers. ParaView
/// opens them.
///
/// \code
///   struct atom { std::array<double, 3> x, v; int kind; };
///   double speed(const atom& a) { return std::sqrt(a.v[0] * a.v[0] + ...); }
///
///   particles<atom> atoms{m, "atoms"};                       // or field<ragged<atom>>
///   s.write_cloud<&atom::x>("atoms.vtp", m, atoms);
///   s.write_cloud<&atom::x, &atom::kind, speed>("atoms.vtp", m, atoms);    // with the numbers "kind" and "speed"
///
///   file_series frames{s, "out/atoms.pvd", {.every = 10, .list_of = ".vtp"}};
///   s.repeat(1000, [&] {
///     s.execute<move>(m, atoms);
///     frames.write_cloud<&atom::x, speed>(m, atoms);         // passes 1, 11, 21, ...
///   });
/// \endcode
///
/// The first template argument is the position: a member of the values, or a function of one; a number, or an array of one to three. The
/// others are the numbers to show: members or functions, which are numbers or arrays of numbers. Each has its own name in the file.
///
/// All else is as with files of fields, output.hpp, but for `.where`: a cloud is written while the program goes on, and complete or not there. To go on
/// from a file, `s.write` and `s.read` take particles and ragged fields as they are.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <rondo/core/invoke.hpp>
#include <rondo/distributed/output.hpp>
#include <rondo/distributed/particles.hpp>
#include <rondo/distributed/ragged.hpp>
#include <rondo/distributed/signature.hpp>

namespace rondo {

namespace detail::inline distributed {

template<class T>
inline constexpr bool can_be_shown = std::is_arithmetic_v<T> && sizeof(T) <= sizeof(double);
template<class T, std::size_t N>
inline constexpr bool can_be_shown<std::array<T, N>> = can_be_shown<T> && N != 0;

/// How many a position of this type has. 0 if it can't be one.
template<class T>
inline constexpr std::size_t coordinates_of = std::is_arithmetic_v<T> ? 1 : 0;
template<class T, std::size_t N>
inline constexpr std::size_t coordinates_of<std::array<T, N>> =
  std::is_arithmetic_v<T> && N <= 3 ? N : 0;

/// The last name of "atom::kind".
template<auto What>
constexpr std::string_view name_of_shown() {
  const std::string_view all = name_of_task<What>;
  const std::size_t colons = all.rfind("::");
  return colons == all.npos ? all : all.substr(colons + 2);
}

/// How values of type T are shown.
template<class T>
struct cloud_of {
  template<auto What>
  using made_by = std::decay_t<std::invoke_result_t<decltype(What), const T&>>;

  template<auto Where>
  static stored_field position(field_state& f) {
    static_assert(std::is_invocable_v<decltype(Where), const T&>,
      "rondo::write_cloud: the position is a member of what the rows have, &atom::x, or a function "
      "of one");
    using made = made_by<Where>;
    static_assert(coordinates_of<made> != 0,
      "rondo::write_cloud: a position is a std::array of one to three numbers, or a number");
    using triple = std::array<double, 3>;
    return converted<triple>(f, row_part::positions, "positions", [](const T& x) {
      triple all{};
      const made position = invoke_with(Where, x);
      if constexpr(std::is_arithmetic_v<made>)
        all[0] = static_cast<double>(position);
      else if constexpr(coordinates_of<made> != 0)
        for(std::size_t a = 0; a != position.size(); ++a)
          all[a] = static_cast<double>(position[a]);
      return all;
    });
  }
  template<auto What>
  static stored_field shown(field_state& f) {
    static_assert(std::is_invocable_v<decltype(What), const T&>,
      "rondo::write_cloud: a cloud shows a member of the values in the rows, &atom::kind, or a "
      "function of one");
    using made = made_by<What>;
    static_assert(can_be_shown<made>,
      "rondo::write_cloud: a cloud shows a number, or a std::array of numbers; a function may "
      "make one of something else");
    return converted<made>(
      f, row_part::values, name_of_shown<What>(), [](const T& x) { return invoke_with(What, x); });
  }
  static stored_field counted(field_state& f, row_part part, std::string_view name) {
    return {.state = &f, .type = stored_as<std::int64_t>::type, .part = part, .name = name};
  }

private:
  /// An array of what `F` makes of each value. F is a lambda without captures: it makes its own where it is needed.
  template<class To, class F>
  static stored_field converted(
    field_state& f, row_part part, std::string_view name, const F& /*of_value*/) {
    constexpr auto convert = [](const std::byte* from, std::size_t values, std::byte* to) {
      for(std::size_t k = 0; k != values; ++k) {
        T value;
        std::memcpy(&value, from + k * sizeof(T), sizeof(T));
        const To made = F()(value);
        std::memcpy(to + k * sizeof(To), &made, sizeof(To));
      }
    };
    return {
      .state = &f, .type = stored_as<To>::type, .part = part, .name = name, .convert = convert};
  }
};

template<class T>
struct values_of_rows {
  using type = T;
};
template<class T>
struct values_of_rows<ragged<T>> {
  using type = T;
};

template<auto Where, auto... Shown, class M, class P>
file_written write_cloud_of(scheduler& s, std::string path, const mesh_in_space& in_space,
  file_numbers* numbers, future<double> time, const std::source_location& where, const M& m,
  const P& p) {
  using cloud = cloud_of<typename values_of_rows<typename P::value_type>::type>;
  field_state& f = p.state();
  return {write_file(s,
    {std::move(path), in_space, stored_mesh::of(m),
      {cloud::template position<Where>(f), cloud::template shown<Shown>(f)...,
        cloud::counted(f, row_part::numbers, "connectivity"),
        cloud::counted(f, row_part::ends, "offsets")},
      numbers, true},
    std::move(time), where)};
}

} // namespace detail::inline distributed

template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
file_written scheduler::write_cloud(
  detail::located_value<std::string> path, const M& m, const P& rows) {
  return write_cloud<Where, Shown...>(std::move(path), file_options(), m, rows);
}
template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
file_written scheduler::write_cloud(
  detail::located_value<std::string> path, const file_options& options, const M& m, const P& rows) {
  return detail::write_cloud_of<Where, Shown...>(
    *this, std::move(path.what), options.where, nullptr, options.time, path.where, m, rows);
}

template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
file_written file_series::write_cloud(const M& m, const P& rows) {
  return detail::write_cloud_of<Where, Shown...>(
    *scheduler_, {}, in_space_, numbers_.get(), {}, made_, m, rows);
}
template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
file_written file_series::write_cloud(
  detail::located_value<double> time, const M& m, const P& rows) {
  return detail::write_cloud_of<Where, Shown...>(*scheduler_, {}, in_space_, numbers_.get(),
    rondo::make_ready<double>(time.what), time.where, m, rows);
}
template<auto Where, auto... Shown, detail::has_files M, detail::in_rows P>
file_written file_series::write_cloud(
  detail::located_value<future<double>> time, const M& m, const P& rows) {
  return detail::write_cloud_of<Where, Shown...>(
    *scheduler_, {}, in_space_, numbers_.get(), std::move(time.what), time.where, m, rows);
}

} // namespace rondo

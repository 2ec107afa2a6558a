/* How the passes of a trace are handed over: see trace.md, and replay.cpp, crew/loop_crew.cpp and progress.hpp
 * for the code.
 *
 * A pass has three launches: A reads u; B reads u and writes v; C reads v. Their edges are
 *
 *   A after A in the pass before      (its own: nothing else says so)
 *   B after C in the pass before      (C has read what B writes; B after B follows)
 *   C after B in the same pass        (C after C follows)
 *
 * The region u is written in pass 1, before its launch WHERE, by one that is not of the trace: so u
 * leaves the trace with a gate, and comes back with the next launch that uses it. With LEAVE_OUT, A
 * is left out in pass 2. Four passes are in flight (of the last one only A), and two processes execute
 * them, in any interleaving. All has been launched before: launching later only takes orders away.
 *
 * No launch starts before what it must come after has ended: assertions. Nobody is forgotten: if a
 * launch were, the processes would wait for ever, an invalid end state.
 *
 * Variants that must fail:
 *   NO_SELF_EDGE             A doesn't wait for A in the pass before
 *   NO_TURN_IN_SECOND_PASS   only launches of the pass in which u came back look at its turn
 *   NO_EXTENSION             ... not for longer if one that should have looked was left out
 *   NO_GATE                  u leaves without waiting for the launches of the trace
 *   THIS_PASS_ONLY           the gate does not wait for those of the pass before
 *   LOOK_BEFORE_BIT          park looks at the count, and sets the bit after that
 */

#define PASSES 4
#ifndef WHERE
#define WHERE 1
#endif
#define MOST 12
#define NOBODY 255

/* Progress: words that are changed in one step. Those of the nodes, and that of the region u. */
#define A 0
#define B 1
#define C 2
#define U 3
byte count[4];
bool somebody_waits[4];
bool locked[4];

/* Kinds of launches: A, B and C, and these. */
#define WRITER 3
#define GATE 4

/* The launches, in the order of the program, as the launching side has made them. */
byte kind[MOST];
byte pass[MOST];
bool is_careful[MOST];
bool is_absent[MOST];
byte turn[MOST];         /* of u */
byte after_a, after_b;   /* what the gate waits for */
byte launches;

/* The executing side. */
byte claimed;
byte stage[MOST];
byte parked_at[MOST];    /* in the list of this word ... */
byte parked_for[MOST];   /* ... until it is so large */
bool told[MOST];         /* may go on: anybody may come to it */
byte ready;              /* so many may */
byte over;               /* launches that have ended */
bool has_ended[MOST];    /* the body; for assertions only */

/* ---- launching ----------------------------------------------------------------------------- */

byte entered;            /* accesses to u */
bool is_owned;
byte slot_turn;
byte careful_until;
byte launched_a, launched_b; /* passes in which they have been launched */
byte where;

inline launch(k, p, absent) {
  kind[launches] = k;
  pass[launches] = p;
  is_absent[launches] = absent;
  parked_at[launches] = NOBODY;
  if
  :: k <= B && !absent ->
     if
     :: !is_owned ->
        is_owned = true;
        slot_turn = entered;
#ifdef NO_TURN_IN_SECOND_PASS
        if
        :: careful_until < p -> careful_until = p
        :: else
        fi
#else
        if
        :: careful_until < p + 1 -> careful_until = p + 1
        :: else
        fi
#endif
     :: else
     fi;
     is_careful[launches] = (p <= careful_until);
     turn[launches] = slot_turn
  :: else
  fi;
#ifndef NO_EXTENSION
  if
  :: absent && (p <= careful_until || !is_owned) -> careful_until = p + 2
  :: else
  fi;
#endif
  if
  :: k == A -> launched_a = p + 1
  :: k == B -> launched_b = p + 1
  :: else
  fi;
  launches++
}

/* A launch that is not of the trace, in pass p. */
inline write_u(p) {
  if
  :: is_owned ->
     is_owned = false;
#ifndef NO_GATE
     after_a = launched_a;
     after_b = launched_b;
#ifdef THIS_PASS_ONLY
     if
     :: launched_a <= p -> after_a = 0
     :: else
     fi;
     if
     :: launched_b <= p -> after_b = 0
     :: else
     fi;
#endif
     turn[launches] = entered;
     entered++;
     launch(GATE, p, false)
#endif
  :: else
  fi;
  turn[launches] = entered;
  entered++;
  launch(WRITER, p, false)
}

inline write_u_if_here(w) {
  if
  :: p == 1 && where == w -> write_u(p)
  :: else
  fi
}

inline launch_all() {
  p = 0;
  do
  :: p == PASSES -> break
  :: else ->
     write_u_if_here(0);
     launch(A, p, (p == 2 && leave_out));
     if
     :: p == PASSES - 1 -> break /* nothing would come after the others */
     :: else
     fi;
     write_u_if_here(1);
     launch(B, p, false);
     write_u_if_here(2);
     launch(C, p, false);
     write_u_if_here(3);
     p++
  od
}

/* ---- executing ------------------------------------------------------------------------------- */

/* What launch l waits for at its stage: `word` and `until`. Word NOBODY: nothing. */
inline next_wait(l) {
  word = NOBODY;
  until = 0;
  if
  :: kind[l] <= B && stage[l] == 0 && is_careful[l] -> word = U; until = turn[l]
#ifndef NO_SELF_EDGE
  :: kind[l] == A && stage[l] == 1 -> word = A; until = pass[l]
#endif
  :: kind[l] == B && stage[l] == 1 -> word = C; until = pass[l]
  :: kind[l] == C && stage[l] == 1 -> word = B; until = pass[l] + 1
  :: kind[l] == GATE && stage[l] == 0 -> word = A; until = after_a
  :: kind[l] == GATE && stage[l] == 1 -> word = B; until = after_b
  :: kind[l] >= WRITER && stage[l] == 2 -> word = U; until = turn[l]
  :: else
  fi
}

/* Sets `parked`; then the launch may be anywhere. Under the lock of the word. */
inline park(l) {
#ifdef LOOK_BEFORE_BIT
  atomic { !locked[word] -> locked[word] = true; seen = count[word] };
  somebody_waits[word] = true;
#else
  atomic { !locked[word] -> locked[word] = true; seen = count[word]; somebody_waits[word] = true };
#endif
  d_step {
    parked = (seen < until);
    if
    :: parked -> parked_at[l] = word; parked_for[l] = until
    :: else -> clear_if_empty(word)
    fi;
    locked[word] = false;
    seen = 0; word = 0; until = 0
  }
}

inline clear_if_empty(w) {
  i = 0;
  do
  :: i < launches && parked_at[i] != w -> i++
  :: else -> break
  od;
  if
  :: i == launches -> somebody_waits[w] = false
  :: else
  fi;
  i = 0
}

/* The body ends, which is told. The lock is held for one step, for nobody else does anything with
 * the list meanwhile. */
inline advance(l, w) {
  atomic { has_ended[l] = true; count[w]++; seen_bit = somebody_waits[w] };
  if
  :: seen_bit ->
     d_step { !locked[w] -> /* those whose turn is reached leave the list, and are told */
       i = 0;
       do
       :: i == launches -> break
       :: i < launches && parked_at[i] == w && parked_for[i] <= count[w] ->
          parked_at[i] = NOBODY;
          assert(!told[i]);
          told[i] = true;
          ready++;
          i++
       :: else -> i++
       od;
       clear_if_empty(w);
       seen_bit = false
     }
  :: else
  fi
}

/* All before it that it has to do with have ended. */
inline check(l) {
  i = 0;
  do
  :: i == l -> break
  :: else ->
     if
     :: is_absent[i] || is_absent[l]
     :: !is_absent[i] && !is_absent[l] && !has_ended[i] ->
        assert(!(kind[l] <= B && kind[i] == WRITER));       /* u */
        assert(!(kind[l] == WRITER && kind[i] <= B));
        assert(!(kind[l] == WRITER && kind[i] == WRITER));
        assert(!(kind[l] == B && (kind[i] == B || kind[i] == C))); /* v */
        assert(!(kind[l] == C && kind[i] == B))
     :: else
     fi;
     i++
  od;
  i = 0
}

/* Counts only grow: so what has been reached may be skipped in one step. */
inline run_launch(l) {
  do
  :: d_step {
       do
       :: stage[l] == 3 -> word = NOBODY; break
       :: else ->
          next_wait(l);
          stage[l] = stage[l] + 1;
          if
          :: word != NOBODY && count[word] < until -> break
          :: else
          fi
       od;
       if
       :: word == NOBODY -> check(l); word = 0; until = 0; runs = true /* the body begins */
       :: else
       fi
     };
     if
     :: runs -> break
     :: else -> park(l)
     fi;
     if
     :: parked -> break
     :: else
     fi
  od;
  if
  :: runs ->
     if
     :: kind[l] <= C -> advance(l, kind[l])
     :: else -> advance(l, U)
     fi;
     atomic { over++; runs = false; l = 0 }
  :: else -> atomic { parked = false; l = 0 }
  fi
}

proctype worker() {
  byte me, i, word, until, seen;
  bool parked, runs, seen_bit;
  do
  :: atomic { claimed < launches -> me = claimed; claimed++ };
     run_launch(me)
  :: d_step { ready > 0 ->
       ready--;
       do
       :: !told[me] -> me++
       :: else -> break
       od;
       told[me] = false };
     run_launch(me)
  :: over == launches -> break
  od
}

init {
  byte p, i;
  bool leave_out;
  atomic {
    where = WHERE;
#ifdef LEAVE_OUT
    leave_out = true;
#endif
    d_step { launch_all() };
    run worker(); run worker()
  }
}

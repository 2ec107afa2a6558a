/* The split deque: see deque.md, and split_deque.hpp for the code.
 *
 * One owner and some thieves; a ring of two slots, so that slots are used again at once. Every
 * job must run exactly once. With SLEEP thieves also sleep when they find nothing, and a request
 * of thieves who sleep must not be overlooked.
 *
 * Without FORKS the owner pushes and pops tasks, and shows some of its own accord; with FORKS
 * its offers nest, and it takes back the newest.
 *
 * With FORCE thieves that find nothing also publish in the owner's place, and the owner once stops
 * in a body that does not end before all that was pushed has run. The owner's stores of `top` and
 * `phase` are then seen late, as in a store buffer: others see what it had stored up to some
 * point in time, until it does something that drains the buffer, or a thief's heavy fence does.
 *
 * With LATE_PUSH, too, thieves may go to sleep while an owner is between its look at the limit and its
 * store, and publish in its place meanwhile: the job stays private, and nobody is woken for it. Then no body
 * waits for all others; every job still runs once, at the latest when the owner comes to it.
 *
 * Variants that must fail:
 *   NO_VERSION   the ring's two ends without the version
 *   NO_FLOOR     publishing without raising the floor of the fast path
 *   STORE_CALM   calming hunger by a look and a store instead of an exchange
 *   NO_STANDING  a request that comes when there is nothing to show is forgotten
 *   NO_FENCE     publishing by force without the heavy fence
 *   NO_PHASE     publishing by force without looking whether the owner was on a slow way meanwhile
 *   LOOK_FIRST   a pop that looks at the floor before it lowers the top
 *
 * Spin's memory is sequentially consistent: the memory orders are argued for in deque.md.
 */

#ifndef JOBS
#define JOBS 3
#endif
#ifndef THIEVES
#define THIEVES 2
#endif
#define CAPACITY 2
#define INDICES 4 /* indices wrap around at a multiple of the capacity, as 16 bits do */
#define DEPTH JOBS

#define size(h, t) ((t + INDICES - h) % INDICES)
#define bare (head == tail)

/* The ring; head, tail and version are one word in the code, and one step here. */
byte head, tail, version;
byte ring[CAPACITY];

/* A null push_limit; a take_floor that is never(). */
bool push_hungry, take_hungry;

byte runs[JOBS + 1];
byte all_runs;
byte sleeping, asleep, tokens; /* the notifier in its simplest form */
bool over;

inline execute(j) {
  atomic {
    runs[j]++;
    assert(runs[j] == 1);
    all_runs++;
  }
}

/* ---- owner ---- */

#ifdef FORCE
byte stack[DEPTH]; byte top, base;
byte phase;
byte top_seen, phase_seen; /* by the others */
bool forced;
#define OWNERS_PRIVATE_PART byte floor;
#define drain top_seen = top; phase_seen = phase
#define enter_slow phase++; atomic { !forced }
#define leave_slow phase++
#else
/* Local, so that spin knows that nobody else sees it. */
#define OWNERS_PRIVATE_PART byte stack[DEPTH]; byte top, base, floor;
#define drain skip
#define enter_slow skip
#define leave_slow skip
#endif

#define OWNERS_VARIABLES \
  OWNERS_PRIVATE_PART /* floor: take_floor, when calm */ \
  byte o_h, o_t, o_count, o_i, o_job; \
  bool o_hungry, o_published; \
  byte pushed

inline publish() {
  atomic {
    o_h = head; o_t = tail;
    o_count = (top - base + 1) / 2;
    if
    :: o_count > CAPACITY - size(o_h, o_t) -> o_count = CAPACITY - size(o_h, o_t)
    :: else
    fi;
    o_h = 0 /* what is not used any more is zeroed: fewer states */
  }
  if
  :: o_count != 0 ->
    o_i = 0;
    do
    :: atomic { o_i < o_count -> ring[(o_t + o_i) % CAPACITY] = stack[base + o_i]; o_i++ }
    :: atomic { o_i == o_count -> o_i = 0; break }
    od;
    /* Only thieves compete, and they move the head: the loop around the code's
     * compare-and-swap ends with what is one step here. */
    atomic {
      tail = (tail + o_count) % INDICES;
      version++;
      base = base + o_count;
      drain;
      o_t = 0; o_count = 0;
      o_published = true
    }
  :: else -> o_t = 0
  fi
}

inline calm_down() {
#ifdef STORE_CALM
  o_hungry = push_hungry || take_hungry;
  push_hungry = false;
  atomic { take_hungry = false; floor = base; }
#else
  atomic { o_hungry = push_hungry; push_hungry = false; drain }
  atomic { o_hungry = o_hungry || take_hungry; take_hungry = false; floor = base; drain }
#endif
}

inline answer_hunger() {
  do
  :: calm_down();
     if
     :: !o_hungry -> break
     :: o_hungry && bare && top == base ->
#ifndef NO_STANDING
        push_hungry = true;
#endif
        o_hungry = false; break
     :: else -> o_hungry = false; publish()
     fi
  od
}

/* The notifier wakes one more when one that was woken has found something: `thief`, below. */
inline notify() {
  if
  :: o_published ->
     o_published = false;
     atomic { if :: sleeping > 0 -> sleeping--; tokens++ :: else fi }
  :: else
  fi
}

inline push(j) {
  if
  :: atomic { !push_hungry ->
       /* Here is what hunger is for: with all thieves asleep and nothing on show, this push must
        * not go by unseen. */
       assert(!(asleep == THIEVES && tokens == 0 && bare));
#if defined(FORCE) && (!defined(SLEEP) || defined(LATE_PUSH)) /* see "a sleeper is not noticed" in deque.md */
     };
     atomic {
#endif
       stack[top] = j; top++ }
  :: push_hungry ->
     enter_slow;
     atomic { stack[top] = j; top++ };
     answer_hunger();
     leave_slow;
     notify()
  fi
}

inline lower_base(slot) {
  atomic {
    top = slot; base = slot; drain;
    o_hungry = take_hungry; take_hungry = false; floor = slot
  };
  if :: o_hungry -> atomic { push_hungry = true; o_hungry = false } :: else fi
}

/* Into o_job, which is 0 if there is nothing. */
inline reclaim() {
  o_job = 0;
  do
  :: atomic { o_h = head; o_t = tail; }
     if
     :: size(o_h, o_t) == 0 -> break
     :: else ->
        o_job = ring[(o_t + CAPACITY - 1) % CAPACITY];
        atomic {
          if
          :: head == o_h ->
             tail = (o_t + INDICES - 1) % INDICES; version++; drain;
             break
          :: else -> o_job = 0
          fi
        }
     fi
  od;
  if
  :: atomic { o_job != 0 && size(o_h, o_t) == 1 -> push_hungry = true; o_h = 0; o_t = 0 }
  :: atomic { else -> o_h = 0; o_t = 0 }
  fi
}

#ifdef FORKS

active proctype owner() {
  OWNERS_VARIABLES;
  byte slot;
  byte offer[DEPTH]; /* the job that each open offer is about */
#ifdef FORCE
  bool was_long;
#endif
  do
  :: pushed < JOBS ->
     pushed++; offer[slot] = pushed; push(pushed); slot++
  :: slot > 0 ->
     slot--;
#ifndef LOOK_FIRST
     top = slot;
#endif
     if
     :: !take_hungry && slot >= floor -> top = slot; o_job = offer[slot]
     :: else ->
        enter_slow;
        if
        :: slot >= base -> top = slot; answer_hunger(); o_job = offer[slot]
        :: else ->
           reclaim();
           assert(o_job == 0 || o_job == offer[slot]);
           lower_base(slot);
           if :: o_job == 0 -> push_hungry = true :: else fi
        fi;
        leave_slow;
        notify()
     fi;
     if
     :: atomic { o_job != 0 -> assert(o_job == offer[slot]); execute(o_job); offer[slot] = 0 }
     :: atomic { o_job == 0 && runs[offer[slot]] == 1 -> offer[slot] = 0 } /* waits for the thief */
     fi;
     o_job = 0
#ifdef FORCE
#ifndef LATE_PUSH
  :: !was_long -> was_long = true; all_runs == pushed
#endif
#endif
  :: pushed == JOBS && slot == 0 -> break
  od;
  assert(all_runs == JOBS);
  over = true
}

#else

inline pop() {
#ifdef LOOK_FIRST
  if
  :: top > 0 && !take_hungry && top - 1 >= floor -> top--; o_job = stack[top]
#else
  if :: top > 0 -> top--; o_lowered = true :: else fi;
  if
  :: o_lowered && !take_hungry && top >= floor -> o_job = stack[top]
#endif
  :: else ->
     enter_slow;
     if :: o_lowered -> top++ :: else fi; /* in the code the two cancel out */
     if
     :: top != base -> top--; o_job = stack[top]; answer_hunger()
     :: else ->
        if :: base != 0 -> lower_base(0) :: else fi;
        reclaim()
     fi;
     leave_slow;
     notify()
  fi;
  o_lowered = false
}

active proctype owner() {
  OWNERS_VARIABLES;
  bool drained, o_lowered;
#ifdef FORCE
  bool was_long;
#endif
  do
  :: pushed < JOBS && top < DEPTH -> pushed++; push(pushed); drained = false
  :: !drained ->
     pop();
     atomic {
       if
       :: o_job != 0 -> execute(o_job); o_job = 0
       :: else -> drained = true
       fi
     }
  :: top != base && bare -> /* shows something of its own accord */
     enter_slow;
     publish();
#ifndef NO_FLOOR
     answer_hunger();
#endif
     leave_slow;
     notify()
#ifdef FORCE
#ifndef LATE_PUSH
  :: !was_long -> was_long = true; all_runs == pushed
#endif
#endif
  :: pushed == JOBS && drained -> break
  od;
  all_runs == JOBS; /* what thieves took, they run; a job that was lost blocks here for ever */
  over = true
}

#endif

/* ---- thieves ---- */

inline ask() {
  /* The code looks first, which spares stores but changes nothing. */
  push_hungry = true;
  take_hungry = true
}

/* Into job, which is 0 if there is nothing. */
inline steal() {
  job = 0;
  do
  :: atomic { h = head; t = tail; v = version; }
     if
     :: size(h, t) == 0 -> ask(); break
     :: else ->
        job = ring[h % CAPACITY];
        atomic {
          if
#ifdef NO_VERSION
          :: head == h && tail == t ->
#else
          :: head == h && tail == t && version == v ->
#endif
             head = (h + 1) % INDICES;
             break
          :: else -> job = 0
          fi
        }
     fi
  od;
  if
  :: job != 0 && size(h, t) == 1 -> ask()
  :: else
  fi;
  atomic { h = 0; t = 0; v = 0 }
}

#ifdef FORCE

/* The store buffer empties when it likes. */
active proctype memory() {
  do
  :: atomic { top_seen != top || phase_seen != phase -> drain }
  :: over -> break
  od
}

inline heavy_fence() {
#ifndef NO_FENCE
  drain
#else
  skip
#endif
}

inline force() {
  retry = false;
  if
  :: top_seen > base ->
     retry = true; /* until this is seen to the end, there may be something */
     f_phase = phase_seen;
     if
     :: atomic { f_phase % 2 == 0 && !forced -> forced = true };
        ask();
        atomic { heavy_fence() };
        if
#ifdef NO_PHASE
        :: true ->
#else
        :: f_phase == phase_seen ->
#endif
           atomic {
             h = head; t = tail;
             if
             :: top_seen > base -> f_count = top_seen - base
             :: else -> f_count = 0
             fi;
             if
             :: f_count > CAPACITY - size(h, t) -> f_count = CAPACITY - size(h, t)
             :: else
             fi;
             h = 0
           };
           do
           :: atomic { f_i < f_count -> ring[(t + f_i) % CAPACITY] = stack[base + f_i]; f_i++ }
           :: atomic { f_i == f_count -> f_i = 0; break }
           od;
           atomic { tail = (tail + f_count) % INDICES; version++ };
           atomic { base = base + f_count; f_count = 0; t = 0 }
        :: else
        fi;
        forced = false
     :: else
     fi;
     f_phase = 0
  :: else
  fi
}

#endif

/* Looks, or looks as one who is about to sleep: in any order and number. */
active [THIEVES] proctype thief() {
  byte h, t, v, job;
  bool registered;
#ifdef FORCE
  byte f_phase, f_count, f_i;
  bool retry;
#endif
  do
  :: over -> break
  :: else ->
     if
     :: skip
#ifdef SLEEP
     :: atomic { sleeping++; registered = true };
        ask()
#endif
     fi;
     steal();
#ifdef FORCE
     if
     :: job == 0 -> atomic { heavy_fence() }; force(); if :: retry -> steal() :: else fi
     :: else
     fi;
#else
#define retry false
#endif
     if
     :: atomic { job == 0 && registered && !retry && !over -> asleep++ };
        atomic { tokens > 0 || over ->
          asleep--;
          if :: tokens > 0 -> tokens-- :: else -> sleeping-- fi;
          registered = false }
     :: else ->
        atomic {
          if
          :: registered -> registered = false; if :: sleeping > 0 -> sleeping-- :: else -> tokens-- fi
          :: else
          fi;
          if :: job != 0 -> execute(job); job = 0 :: else fi
        }
     fi
  od
}

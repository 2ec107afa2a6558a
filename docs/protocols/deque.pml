/* The split deque: see deque.md, and split_deque.hpp for the code.
 *
 * One owner and some thieves; a ring of two slots, so that slots are used again at once. Every
 * job must run exactly once. With SLEEP thieves also sleep when they find nothing, and a request
 * of thieves who sleep must not be overlooked.
 *
 * Without FORKS the owner pushes and pops tasks, and shows some of its own accord; with FORKS
 * its offers nest, and it takes back the newest.
 *
 * Variants that must fail:
 *   NO_VERSION   the ring's two ends without the version
 *   NO_FLOOR     publishing without raising the floor of the fast path
 *   STORE_CALM   calming hunger by a look and a store instead of an exchange
 *   NO_STANDING  a request that comes when there is nothing to show is forgotten
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

/* Local, so that spin knows that nobody else sees it. */
#define OWNERS_VARIABLES \
  byte stack[DEPTH]; byte top, base, floor; /* the private part; take_floor, when calm */ \
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
      o_t = 0; o_count = 0;
      o_published = true
    }
  :: else -> o_t = 0
  fi
}

inline settle() {
#ifdef STORE_CALM
  o_hungry = push_hungry || take_hungry;
  push_hungry = false;
  atomic { take_hungry = false; floor = base; }
#else
  atomic { o_hungry = push_hungry; push_hungry = false; }
  atomic { o_hungry = o_hungry || take_hungry; take_hungry = false; floor = base; }
#endif
}

inline answer_hunger() {
  do
  :: settle();
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
       stack[top] = j; top++ }
  :: atomic { push_hungry -> stack[top] = j; top++ };
     answer_hunger();
     notify()
  fi
}

inline lower_base(slot) {
  atomic {
    top = slot; base = slot;
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
             tail = (o_t + INDICES - 1) % INDICES; version++;
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
  do
  :: pushed < JOBS ->
     pushed++; offer[slot] = pushed; push(pushed); slot++
  :: slot > 0 ->
     slot--;
     if
     :: !take_hungry && slot >= floor -> top = slot; o_job = offer[slot]
     :: else ->
        if
        :: slot >= base -> top = slot; answer_hunger(); notify(); o_job = offer[slot]
        :: else ->
           assert(top == base); /* forks nest: the newer ones are all done */
           reclaim();
           assert(o_job == 0 || o_job == offer[slot]);
           lower_base(slot);
           if :: o_job == 0 -> push_hungry = true :: else fi
        fi
     fi;
     if
     :: atomic { o_job != 0 -> assert(o_job == offer[slot]); execute(o_job); offer[slot] = 0 }
     :: atomic { o_job == 0 && runs[offer[slot]] == 1 -> offer[slot] = 0 } /* waits for the thief */
     fi;
     o_job = 0
  :: pushed == JOBS && slot == 0 -> break
  od;
  assert(all_runs == JOBS);
  over = true
}

#else

inline pop() {
  if
  :: top > 0 && !take_hungry && top - 1 >= floor -> top--; o_job = stack[top]
  :: else ->
     if
     :: top != base -> top--; o_job = stack[top]; answer_hunger(); notify()
     :: else ->
        if :: base != 0 -> lower_base(0) :: else fi;
        reclaim()
     fi
  fi
}

active proctype owner() {
  OWNERS_VARIABLES;
  bool drained;
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
     publish();
#ifndef NO_FLOOR
     answer_hunger();
#endif
     notify()
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

/* Looks, or looks as one who is about to sleep: in any order and number. */
active [THIEVES] proctype thief() {
  byte h, t, v, job;
  bool registered;
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
     if
     :: atomic { job == 0 && registered && !over -> asleep++ };
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

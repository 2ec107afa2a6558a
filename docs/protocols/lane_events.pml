/* The event of a lane that is advanced by plain stores, against those who park at it: see trace.md, "Events
 * of lanes", and progress.hpp, progress.cpp and lane_events.hpp for the code.
 *
 * The crew of the lane advances one event three times. Between, it may answer, and before it goes it does. Two
 * launches come to wait for its second and its third end, in any order and at any time. If one of them
 * were forgotten it would wait for ever: an invalid end state. Nobody goes on early, or twice: assertions.
 *
 * What the crew stores lies in a buffer of its processor until that feels like writing it to memory; a
 * read-modify-write of the same word, and that of an answer, empties the buffer. Taking the lock does not.
 *
 * Variants that must fail:
 *   NO_ASK           who parks does not ask
 *   LOOK_BEFORE_ASK  who parks looks at the count, and asks after that
 *   NO_LAST_ANSWER   the crew goes without an answer
 *   ANSWER_LOAD      an answer loads the question, and stores only if there was one
 *   NO_LOCK          who parks gives the lock back before it enters the list
 */

#define WAITERS 2
#define PASSES 3
#define NOBODY 255

/* The word, in memory. */
byte count;
bool somebody_waits;

chan buffer = [PASSES] of { byte, bool }; /* of the crew: what the word becomes */
byte own_count;                           /* the newest in there */
bool own_bit;

bool is_asked, locked;
bool waits[WAITERS];  /* is in the list */
bool told[WAITERS], has_gone_on[WAITERS];
byte turn[WAITERS];

inline write_all() {
  do
  :: nempty(buffer) -> buffer?count, somebody_waits
  :: empty(buffer) -> break
  od
}
active proctype processor() {
end:
  do
  :: atomic { nempty(buffer) -> buffer?count, somebody_waits }
  od
}

inline lock() { atomic { !locked -> locked = true } }
inline unlock() { locked = false }

/* What the crew sees of the word. */
inline load_own() {
  if
  :: nempty(buffer) -> now = own_count; flag = own_bit
  :: empty(buffer) -> now = count; flag = somebody_waits
  fi
}

/* Under the lock: who is due goes on; sets `others`. */
inline tell_due() {
  atomic {
    load_own();
    others = false;
    i = 0;
    do
    :: i < WAITERS ->
       if
       :: waits[i] && turn[i] <= now -> waits[i] = false; assert(!told[i]); told[i] = true
       :: waits[i] && turn[i] > now -> others = true
       :: else
       fi;
       i++
    :: else -> break
    od;
    i = 0
  }
}

inline wake() {
  lock();
  tell_due();
  if
  :: !others -> atomic { write_all(); somebody_waits = false }
  :: else
  fi;
  unlock()
}

inline advance() {
  if
  :: is_watched ->
     atomic { write_all(); count++; flag = somebody_waits }
  :: else -> /* advance_alone */
     atomic { load_own() };
     atomic { own_count = now + 1; own_bit = flag; buffer!own_count, own_bit }
  fi;
  if
  :: flag -> wake()
  :: else
  fi
}

inline answer() {
#ifdef ANSWER_LOAD
  asked = is_asked;
  if
  :: asked -> atomic { write_all(); is_asked = false }
  :: else
  fi;
#else
  atomic { write_all(); asked = is_asked; is_asked = false };
#endif
  if
  :: asked -> /* look_again */
     lock();
     tell_due();
     is_watched = others;
     if
     :: others -> atomic { write_all(); somebody_waits = true }
     :: else
     fi;
     unlock()
  :: !asked && is_watched -> atomic { load_own(); is_watched = flag }
  :: else
  fi
}

active proctype crew() {
  byte now, i, passes;
  bool flag, others, asked, is_watched;
  do
  :: passes < PASSES ->
     advance();
     passes++;
     if
     :: true
     :: true -> answer()
     fi
  :: else -> break
  od;
#ifndef NO_LAST_ANSWER
  answer()
#endif
}

proctype waiter(byte me) {
  byte seen;
  lock();
  atomic { seen = count; somebody_waits = true };
#ifndef NO_ASK
#ifdef LOOK_BEFORE_ASK
  seen = count;
#endif
  if
  :: seen < turn[me] ->
     is_asked = true;
#ifndef LOOK_BEFORE_ASK
     seen = count
#endif
  :: else
  fi;
#endif
  if
  :: seen >= turn[me] ->
     if
     :: !waits[1 - me] -> somebody_waits = false
     :: else
     fi;
     unlock()
  :: else ->
#ifdef NO_LOCK
     unlock();
     waits[me] = true;
#else
     waits[me] = true;
     unlock();
#endif
     told[me]
  fi;
  assert(!has_gone_on[me]);
  has_gone_on[me] = true;
  assert(seen >= turn[me] || told[me])
}

init {
  atomic {
    turn[0] = 2; turn[1] = 3;
    run waiter(0); run waiter(1)
  }
}

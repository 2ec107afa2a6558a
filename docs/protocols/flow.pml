/* The shared half of a region: see flow.md, and region.hpp and region.cpp for the code.
 *
 * Two accesses run from the beginning (two readers, say) and end. Two more wait: the first until
 * two have ended (a writer), the second until three have (the next writer). They come to park in
 * any order, before, between and after the ends. When all launches are counted the region ends.
 *
 * If a wait were forgotten, its process would wait for ever: an invalid end state. And nobody may
 * run early, be told twice, or look at the region after its end: assertions.
 *
 * Variants that must fail:
 *   LOOK_FIRST   park looks at the count, and sets the bit after that
 *   NO_LOOK      park sets the bit and does not look
 *   CLEAR        wake clears the bit also if somebody goes on waiting
 *   NOT_SORTED   park always appends
 *   TELL_NEXT    wake looks where the next one is after it has told one
 *   EARLY_COUNT  a launch is counted as soon as its access has ended, before wake
 */

#define WAITERS 2
#define NOBODY 255

/* The word: changed in one step. */
byte count;
bool somebody_waits;

bool locked;
byte first = NOBODY, last = NOBODY;
byte next[WAITERS];   /* the links, which are in the launches ... */
bool there[WAITERS];  /* ... and these may be gone */
byte turn[WAITERS];

bool told[WAITERS], ran[WAITERS];
byte counted;         /* launches; the region ends when all are */
bool gone;

inline lock() { atomic { !locked -> assert(!gone); locked = true } }
inline unlock() { assert(!gone); locked = false }

/* An access ends, and then its launch. */
inline leave() {
  atomic { assert(!gone); count++; seen_bit = somebody_waits };
#ifdef EARLY_COUNT
  counted++;
#endif
  if
  :: seen_bit ->
     lock();
     atomic {
       woken = first; tail = NOBODY;
       do
       :: first != NOBODY && turn[first] <= count -> tail = first; first = next[first]
       :: else -> break
       od
     };
#ifdef CLEAR
     somebody_waits = false;
#else
     if
     :: first == NOBODY -> somebody_waits = false
     :: else
     fi;
#endif
     unlock();
     if
     :: tail == NOBODY -> woken = NOBODY
     :: else -> next[tail] = NOBODY
     fi;
     do
     :: woken == NOBODY -> break
     :: else ->
#ifdef TELL_NEXT
        told[woken] = true;
        atomic { assert(there[woken]); woken = next[woken] }
#else
        atomic { assert(there[woken]); after = next[woken] };
        atomic { assert(!told[woken]); told[woken] = true };
        woken = after
#endif
     od
  :: else
  fi;
#ifndef EARLY_COUNT
  counted++
#endif
}

/* Sets `parked`. */
inline park(me) {
  lock();
#ifdef LOOK_FIRST
  seen = count;
  somebody_waits = true;
#else
  atomic { seen = count; somebody_waits = true };
#endif
#ifdef NO_LOOK
  seen = 0;
#endif
  if
  :: seen >= turn[me] ->
     if
     :: first == NOBODY -> somebody_waits = false
     :: else
     fi;
     parked = false
  :: else ->
     atomic {
       next[me] = NOBODY;
       if
       :: first == NOBODY -> first = me; last = me
#ifdef NOT_SORTED
       :: else -> next[last] = me; last = me
#else
       :: first != NOBODY && turn[me] >= turn[last] -> next[last] = me; last = me
       :: else -> next[me] = first; first = me /* with two there is no other place */
#endif
       fi
     };
     parked = true
  fi;
  unlock()
}

proctype reader() {
  byte woken, tail, after;
  bool seen_bit;
  leave()
}

proctype writer(byte me) {
  byte woken, tail, after, seen;
  bool seen_bit, parked;
  if
  :: atomic { count >= turn[me] -> assert(!gone) }
  :: atomic { count < turn[me] -> assert(!gone) };
     park(me);
     if
     :: parked -> told[me]
     :: else
     fi
  fi;
  atomic { assert(count >= turn[me] && !ran[me]); ran[me] = true };
  leave();
  there[me] = false
}

proctype owner() {
  atomic { counted == 4 ->
    assert(!locked && !somebody_waits && first == NOBODY);
    gone = true }
}

init {
  atomic {
    turn[0] = 2; turn[1] = 3;
    there[0] = true; there[1] = true;
    run reader(); run reader(); run writer(0); run writer(1); run owner()
  }
}

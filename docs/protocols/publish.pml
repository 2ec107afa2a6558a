/* The end of a crew against a launch: see flow.md, "Crews", and flow.cpp and crew/flow_crew.cpp for the code.
 *
 * One thread launches. After a launch it may wait until all so far have ended. A crew claims what there
 * is and ends; the thread calls it when it finds it gone. If a launch were left while nobody is at work,
 * the thread would wait for ever at its end: an invalid end state.
 *
 * What the launching thread stores lies in a buffer of its processor until that feels like writing it to
 * memory, while later loads are done at once. A read-modify-write empties the buffer, and so does the
 * heavy fence of the other side. The exchange that ends a wait is weaker here than on x86: its store goes to the
 * buffer, too, as processors may do it that keep only acquiring and releasing operations behind it. With
 * STRONG it empties the buffer.
 *
 * Variants that must fail:
 *   NO_FENCE        the crew never does the heavy fence
 *   LOOK_FIRST      the crew looks for launches, and takes its bit away after that
 *   NO_BIT          the crew comes back without asking whether it was called meanwhile
 *   EXCHANGE_ONLY   the end of a wait is the exchange, without the read-modify-write of at_work
 * and EXCHANGE_ONLY STRONG must hold.
 */

#define LAUNCHES 3

byte launched, claimed, ended;
bool at_work, awaited;
byte at_once;                      /* crews that believe they are the one */

#define LAUNCHED 0
#define AWAITED 1
chan buffer = [3] of { byte, byte }; /* of the launching thread: which word, and what */

/* In an atomic step. */
inline write_one() {
  buffer?what, value;
  if
  :: what == LAUNCHED -> launched = value
  :: else -> awaited = value
  fi
}
inline write_all() {
  do
  :: nempty(buffer) -> write_one()
  :: empty(buffer) -> break
  od
}

active proctype processor() {
  byte what, value;
end:
  do
  :: atomic { nempty(buffer) -> write_one() }
  od
}

proctype crew() {
  byte what, value;
  bool seen;
  atomic { at_once++; assert(at_once == 1) };
again:
  do
  :: atomic { claimed < launched -> claimed++ };
     ended++
  :: atomic { claimed >= launched -> break }
  od;
  /* retire */
#ifdef LOOK_FIRST
  seen = claimed < launched;
  at_once--;
  at_work = false;
  if
  :: seen
  :: else -> goto gone
  fi;
#else
  at_once--;
  at_work = false;
#ifndef NO_FENCE
  seen = awaited;
  if
  :: seen
  :: else -> atomic { write_all() }
  fi;
#endif
  if
  :: claimed < launched
  :: else -> goto gone
  fi;
#endif
  atomic {
    seen = at_work;
    at_work = true
  };
#ifndef NO_BIT
  if
  :: seen -> goto gone
  :: else
  fi;
#endif
  atomic { at_once++; assert(at_once == 1) };
  goto again;
gone:
  skip
}

active proctype launching() {
  byte what, value, mine;
  bool seen;
  do
  :: mine < LAUNCHES ->
     /* publish */
     mine++;
     buffer!LAUNCHED, mine;
     seen = at_work;
     if
     :: !seen ->
        atomic { /* call_crew */
          write_all();
          seen = at_work;
          at_work = true
        };
        if
        :: !seen -> run crew()
        :: else
        fi
     :: else
     fi;
     if
     :: true /* goes on at once */
     :: true -> /* wait_for_batch */
        atomic { write_all(); awaited = true };
        ended == mine;
#ifdef STRONG
        atomic { write_all(); awaited = false };
#else
        buffer!AWAITED, false;
#endif
#ifndef EXCHANGE_ONLY
        atomic { write_all() } /* and reads at_work, as does whatever looks at it after that */
#endif
     fi
  :: else -> break
  od;
  ended == LAUNCHES
}

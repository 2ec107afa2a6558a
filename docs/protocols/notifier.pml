/* The notifier: see notifier.md, and notifier.hpp and executor.cpp for the code.
 *
 * Two workers look for work, run it, and sleep. A producer makes two jobs visible that end only
 * when both have begun, so both workers are needed. A busy owner has private work that it shows
 * only when asked. Worker 0 waits for an event of its own besides, as the owner of a stolen fork
 * does. In the end all are told to stop.
 *
 * If a wake-up were lost, somebody would sleep for ever: an invalid end state. And the owner's
 * push must not go by unseen while all sleep: an assertion.
 *
 * ORPHANS: waits are left by a worker as well, for which one is woken. They are adopted by whoever looks, and the
 * second job comes only when they are.
 *
 * Variants that must fail:
 *   NO_SECOND_LOOK  going to sleep without another look
 *   NO_HANDOVER     the last searcher leaves without looking for what it leaves behind
 *   NO_ASK          not asking for private work when there is nothing on show
 *   NO_EPOCH        sleepers look for tokens only
 *   SLEEPING_ONLY   notify_all does nothing when there are tokens but no sleepers
 *   ORPHANS NO_ORPHAN_HANDOVER  the last searcher that leaves doesn't look for waits
 *   ORPHANS NO_ORPHAN_LOOK      nor does one that goes to sleep
 */

#define EPOCHS 4

/* The state word: all are changed in one step. */
byte sleeping, searching, tokens, epoch;
bool in_kernel[2];

byte queue;        /* visible jobs from outside */
byte shown;        /* the published part of the owner's deque */
bool asked;        /* its hunger flag */
byte begun;        /* of the producer's two jobs */
bool orphaned, adopted; /* waits without a worker */
bool event, stop;  /* what worker 0 waits for; what worker 1 waits for */
byte ended;        /* workers that have returned */

inline futex_wake_one() {
  if
  :: atomic { in_kernel[0] -> in_kernel[0] = false }
  :: atomic { in_kernel[1] -> in_kernel[1] = false }
  :: atomic { !in_kernel[0] && !in_kernel[1] -> skip }
  fi
}

inline notify_one() {
  if
  :: sleeping == 0 || searching != 0 -> skip
  :: else -> /* looks again when it changes the word */
     if
     :: atomic { sleeping != 0 && searching == 0 -> sleeping--; searching++; tokens++ };
        futex_wake_one()
     :: atomic { sleeping == 0 || searching != 0 -> skip }
     fi
  fi
}

inline notify_all() {
  if
#ifdef SLEEPING_ONLY
  :: atomic { sleeping != 0 ->
#else
  :: atomic { sleeping != 0 || tokens != 0 ->
#endif
       searching = searching + sleeping; tokens = tokens + sleeping; sleeping = 0;
       epoch = (epoch + 1) % EPOCHS };
     atomic { in_kernel[0] = false; in_kernel[1] = false }
#ifdef SLEEPING_ONLY
  :: atomic { sleeping == 0 -> skip }
#else
  :: atomic { sleeping == 0 && tokens == 0 -> skip }
#endif
  fi
}

inline cancel_sleep() {
  atomic {
    if
    :: sleeping != 0 -> sleeping--; searching++
    :: else -> assert(tokens != 0); tokens--
    fi
  }
}

inline sleep() {
  do
  :: atomic { tokens != 0 -> tokens--; break }
  :: atomic { tokens == 0 -> seen_epoch = epoch; seen_tokens = 0 };
#ifndef NO_EPOCH
     if
     :: seen_epoch != ticket -> cancel_sleep(); break
     :: else
     fi;
#endif
     /* The kernel compares and enters its queue in one step. */
     atomic {
       if
       :: tokens == 0 && epoch == seen_epoch -> in_kernel[me] = true
       :: else
       fi
     };
     !in_kernel[me]
  od
}

inline ask() {
  asked = true
}

/* Looks once: found is 1 for a job of the producer, 2 for one of the owner. */
inline look() {
  found = 0;
  if
  :: atomic { queue != 0 -> queue--; found = 1 }
  :: queue == 0 ->
     if
     :: atomic { shown > 1 -> shown--; found = 2 }
     :: atomic { shown == 1 -> shown--; found = 2 }; ask() /* took the last one */
     :: shown == 0 ->
#ifndef NO_ASK
        ask()
#else
        skip
#endif
     fi
  fi
}

inline adopt() {
#ifdef ORPHANS
  if
  :: atomic { orphaned -> orphaned = false; adopted = true }
  :: !orphaned -> skip
  fi
#else
  skip
#endif
}

#define over ((me == 0 && event) || (me == 1 && stop))

proctype worker(byte me) {
  byte found, ticket, seen_epoch, seen_tokens;
  bool last;
  do
  :: over -> break
  :: else ->
     searching++;
     found = 0;
     do
     :: over -> break
     :: else ->
        adopt();
        look();
        if :: found != 0 -> break :: else fi;
        atomic { sleeping++; searching--; ticket = epoch };
#ifndef NO_ASK
        ask();
#endif
#ifndef NO_ORPHAN_LOOK
        adopt();
#endif
        if
        :: over -> cancel_sleep(); break
        :: else
        fi;
#ifndef NO_SECOND_LOOK
        look();
        if :: found != 0 -> cancel_sleep(); break :: else fi;
#endif
        sleep()
     od;
     /* found(): leaves the searchers, and hands over. */
     atomic { last = (searching == 1 && sleeping != 0); searching-- };
#ifndef NO_HANDOVER
     if
#ifdef NO_ORPHAN_HANDOVER
     :: last && (queue != 0 || shown != 0) -> notify_one()
#else
     :: last && (queue != 0 || shown != 0 || orphaned) -> notify_one()
#endif
     :: else
     fi;
#endif
     if
     :: found == 1 -> begun++; begun == 2 /* a long job: needs the other worker */
     :: else /* 2: a short one */
     fi
  od;
  ended++
}

proctype producer() {
  queue++; notify_one();
#ifdef ORPHANS
  orphaned = true; notify_one();
  adopted;
#endif
  queue++; notify_one();
  begun == 2;
  event = true; notify_all();
  ended == 1;
  stop = true; notify_all()
}

proctype owner() {
  byte pushes = 0;
  do
  :: pushes == 3 -> break
  :: else ->
     pushes++;
     if
     :: atomic { !asked ->
          assert(!(in_kernel[0] && in_kernel[1] && tokens == 0 && shown == 0 && sleeping == 2)) }
     :: atomic { asked ->
          asked = false };
        shown++;
        notify_one()
     fi
  od
  /* What is left it runs itself. */
}

init {
  atomic { run worker(0); run worker(1); run producer(); run owner() }
}

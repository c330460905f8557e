/* SPDX-License-Identifier: Apache-2.0
 * src/runtime/reactor.cpp, wake_signal.cpp and what host_stream.cpp does when an entry is done: spawned tasks that await
 * one entry each, users that wait, cancel or detach, and the reactor, which sleeps when nothing is left to do.
 *   every task ends: no wake-up is lost (spin reports a state without a next step)
 *   a task's root and frame are used only while somebody owns them, and each is freed exactly once */
#define TASKS 2
#define NEVER 255

byte gone, finished;                   /* users, tasks */

/* ---- wake_signal: one sleeper, any number of setters */
bool is_set, is_asleep, signal_mutex, signal_waits, signal_notified;

inline lock(mutex) { atomic { !mutex -> mutex = true } }
inline unlock(mutex) { mutex = false }

inline set_signal() {
  is_set = true;
  if
  :: is_asleep ->
     lock(signal_mutex);
     atomic {
       if
       :: signal_waits -> signal_notified = true
       :: else
       fi;
       unlock(signal_mutex)
     }
  :: else
  fi
}

inline sleep_on_signal() {
  lock(signal_mutex);
  is_asleep = true;
  do
  :: is_set -> break
  :: else ->
     atomic { signal_waits = true; signal_notified = false; unlock(signal_mutex) };
end_of_sleep:                          /* it may sleep for ever when all is done; init waits for that */
     atomic { signal_notified -> signal_waits = false };
     lock(signal_mutex)
  od;
  is_asleep = false;
  is_set = false;
  unlock(signal_mutex)
}

/* ---- The stream: entries 1 ... TASKS, one consumer */
byte pushed, completed;
byte awaited = NEVER;
bool stream_mutex;
bool is_registered[TASKS];
byte ticket_of[TASKS];

proctype stream() {
  byte i;
end:                                   /* it may stay */
  do
  :: completed < pushed ->
     completed++;
     if
     :: completed >= awaited ->
        lock(stream_mutex);
        awaited = NEVER;
        i = 0;
        do
        :: i == TASKS -> break
        :: i < TASKS && !is_registered[i] -> i++
        :: i < TASKS && is_registered[i] ->
           if
           :: ticket_of[i] < awaited -> awaited = ticket_of[i]
           :: else
           fi;
           if
           :: completed >= ticket_of[i] -> is_registered[i] = false; set_signal()
           :: else
           fi;
           i++
        od;
        unlock(stream_mutex)
     :: else
     fi
  od
}

/* ---- Roots */
mtype = { running, ended };
mtype now[TASKS] = running;
byte owners[TASKS] = 2, frame_owners[TASKS] = 2, freed[TASKS], frame_freed[TASKS];
bool is_cancelled[TASKS];

inline let_go(task) {
  atomic {
    assert(owners[task] > 0);
    owners[task]--;
    if
    :: owners[task] == 0 -> freed[task]++
    :: else
    fi
  }
}
inline let_go_of_frame(task) {
  atomic {
    assert(frame_owners[task] > 0 && freed[task] == 0);
    frame_owners[task]--;
    if
    :: frame_owners[task] == 0 -> frame_freed[task]++
    :: else
    fi
  }
}

/* ---- Mail to the reactor: one step, for both sides hold a mutex */
bool has_mail;
byte start_mail[TASKS], cancel_mail[TASKS];

inline post(box) {
  atomic { box++; has_mail = true };
  set_signal()
}

/* A Running: spawned, then waited for; the first may be cancelled before, the second be detached instead. */
proctype user(byte task) {
  post(start_mail[task]);
  if
  :: true ->                           /* kept */
     if
     :: skip
     :: task == 0 ->                   /* cancel() */
        if
        :: now[task] == running ->
           is_cancelled[task] = true;
           atomic { assert(freed[task] == 0); owners[task]++ };
           post(cancel_mail[task])
        :: else
        fi
     fi;
     now[task] != running;             /* wait() */
     assert(freed[task] == 0 && frame_freed[task] == 0)
  :: task == 1 -> skip                 /* detach() */
  fi;
  let_go_of_frame(task);
  let_go(task);
  gone++
}

proctype reactor() {
  byte i, started, cancels;
  bool is_pending[TASKS], has_signal[TASKS], is_ready[TASKS], was_busy, ends;
  do
  :: true ->
     was_busy = false;
     if                                /* read_mail() */
     :: has_mail ->
        was_busy = true;
        atomic {
          has_mail = false;
          i = 0;
          do
          :: i == TASKS -> break
          :: i < TASKS ->
             started = start_mail[i]; cancels = cancel_mail[i];
             start_mail[i] = 0; cancel_mail[i] = 0;
             if
             :: started -> is_ready[i] = true
             :: else
             fi;
             if
             :: cancels ->
                if
                :: is_pending[i] -> is_pending[i] = false; is_ready[i] = true
                :: else
                fi;
                let_go(i)
             :: else
             fi;
             i++
          od
        }
     :: else
     fi;
     i = 0;                            /* poll(), and run what is ready */
     do
     :: i == TASKS -> break
     :: i < TASKS ->
        atomic {
          if
          :: is_pending[i] && completed >= ticket_of[i] -> is_pending[i] = false; is_ready[i] = true
          :: else
          fi;
          ends = false;
          if
          :: is_ready[i] ->
             was_busy = true;
             is_ready[i] = false;
             if
             :: ticket_of[i] == 0 && !is_cancelled[i] ->
                pushed++;
                ticket_of[i] = pushed;
                is_pending[i] = true
             :: else -> ends = true
             fi
          :: else
          fi
        };
        if
        :: ends ->                     /* the task's end */
           assert(frame_freed[i] == 0);
           let_go_of_frame(i);
           now[i] = ended;
           let_go(i);
           finished++
        :: else
        fi;
        i++
     od;
     if
     :: was_busy
     :: else ->                        /* ask_for_signals(), sleep() */
        i = 0;
        do
        :: i == TASKS -> break
        :: i < TASKS ->
           if
           :: is_pending[i] && !has_signal[i] ->
              lock(stream_mutex);
              is_registered[i] = true;
              atomic {
                if
                :: ticket_of[i] < awaited -> awaited = ticket_of[i]
                :: else
                fi
              };
              if
              :: completed >= ticket_of[i] -> is_registered[i] = false; set_signal()
              :: else
              fi;
              unlock(stream_mutex);
              has_signal[i] = true
           :: else
           fi;
           i++
        od;
        sleep_on_signal()
     fi
  od
}

init {
  byte i;
  atomic {
    run reactor();
    run stream();
    do
    :: i < TASKS -> run user(i); i++
    :: else -> break
    od
  }
  gone == TASKS && finished == TASKS && owners[0] == 0 && owners[1] == 0;
  i = 0;
  do
  :: i == TASKS -> break
  :: i < TASKS ->
     assert(now[i] == ended && freed[i] == 1 && frame_freed[i] == 1);
     i++
  od
}

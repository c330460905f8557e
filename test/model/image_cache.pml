/* SPDX-License-Identifier: Apache-2.0
 * src/runtime/image_cache.cpp: get() by several threads, for keys that share a bucket. Each step below is one that other
 * threads can see. A compile may fail, once for each key.
 *   one compile at a time for each key, and none after one that succeeded
 *   whoever returns has found its key in the list; nothing that was inserted is lost
 *   nobody waits for ever (spin reports a state without a next step) */
#define THREADS 3
#define KEYS 2

byte key_of[THREADS + 1];       /* node n belongs to thread n - 1; 0 is no node */
byte next_of[THREADS + 1];
byte head;                      /* of the bucket */
byte inserted;

bool changing;                  /* the mutex */
bool in_work[KEYS];
bool woken[THREADS];
bool sleeps[THREADS];

byte compiling[KEYS], compiled[KEYS], failed[KEYS];

inline lock() { atomic { !changing -> changing = true } }
inline unlock() { changing = false }

/* A walk of the list as it is when its head is read: nodes do not change once they are in it. */
inline find(key, found) {
  found = head;
  do
  :: found == 0 -> break
  :: found != 0 && key_of[found] == key -> break
  :: else -> found = next_of[found]
  od
}

/* notify_all() under the mutex */
inline wake_all() {
  d_step {
    i = 0;
    do
    :: i < THREADS -> woken[i] = sleeps[i]; i++
    :: else -> i = 0; break
    od
  }
}

proctype getter(byte me; byte key) {
  byte found, i;
  bool is_good;

  find(key, found);
  if
  :: found != 0 -> goto there
  :: else
  fi;

  lock();
  do
  :: !in_work[key] -> break
  :: else ->
     atomic { sleeps[me] = true; woken[me] = false; unlock() };
     atomic { woken[me] -> sleeps[me] = false };
     lock()
  od;
  find(key, found);
  if
  :: found != 0 -> unlock(); goto there
  :: else
  fi;
  in_work[key] = true;
  unlock();

  compiling[key]++;
  assert(compiling[key] == 1 && compiled[key] == 0);
  if
  :: is_good = true
  :: failed[key] == 0 -> failed[key]++; is_good = false
  fi;
  compiling[key]--;

  lock();
  in_work[key] = false;
  wake_all();
  if
  :: is_good ->
     compiled[key]++;
     key_of[me + 1] = key;
     next_of[me + 1] = head;
     head = me + 1;
     inserted++;
     found = me + 1
  :: else
  fi;
  unlock();
  if
  :: !is_good -> goto gone
  :: else
  fi;

there:
  assert(key_of[found] == key && compiled[key] == 1);
gone:
  skip
}

init {
  byte at, count;
  atomic {
    run getter(0, 0);
    run getter(1, 0);
    run getter(2, 1)
  }
  _nr_pr == 1;                  /* all have ended */
  at = head;
  do
  :: at == 0 -> break
  :: else -> count++; at = next_of[at]
  od;
  assert(count == inserted);
  assert(!in_work[0] && !in_work[1] && !changing)
}

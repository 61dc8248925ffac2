/* SPDX-License-Identifier: Apache-2.0 */
/* Leader election of Chang and Roberts in a one-way ring, step for step
 * src/explore/zoo/leader_election.c. Identities fall along the ring, which
 * makes the most messages. -DN=3 processes. */
#ifndef N
#define N 3
#endif

chan link[N] = [N] of { byte }; /* link[i] leads to process i */
bool started[N];
byte leaders;

#define IDENTITY (N - _pid)
#define NEXT     ((_pid + 1) % N)

active [N] proctype process()
{
    byte message;
end:
    do
    :: d_step { !started[_pid] -> started[_pid] = true; link[NEXT]!IDENTITY }
    :: d_step { started[_pid] && nempty(link[_pid]) ->
                link[_pid]?message;
                if
                :: message > IDENTITY -> link[NEXT]!message
                :: message == IDENTITY -> leaders++; assert(leaders == 1 && _pid == 0)
                :: else
                fi;
                message = 0 }
    od
}

ltl elects { <> (leaders == 1) }
ltl stays_elected { <> [] (leaders == 1) }

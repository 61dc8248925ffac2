/* SPDX-License-Identifier: Apache-2.0 */
/* The alternating-bit protocol over lossy channels, step for step
 * src/explore/zoo/alternating_bit.c. Each end is two processes, so that
 * fairness towards "take an acknowledgement" is not used up by retransmission.
 * -DCAPACITY=2 messages a channel, -DVALUES=3 different messages, -DLOSSY=1. */
#ifndef CAPACITY
#define CAPACITY 2
#endif
#ifndef VALUES
#define VALUES 3
#endif
#ifndef LOSSY
#define LOSSY 1
#endif

chan data = [CAPACITY] of { bit, byte };
chan acks = [CAPACITY] of { bit };
bit send_bit;
byte send_value;
bit receive_bit;
byte receive_value;

active proctype transmitter()
{
    do
    :: d_step { nfull(data) -> data!send_bit, send_value }
    od
}

active proctype acknowledged()
{
    bit b;
    do
    :: d_step { acks?b -> if
                          :: b == send_bit -> send_bit = 1 - send_bit; send_value = (send_value + 1) % VALUES
                          :: else
                          fi; b = 0 }
    od
}

active proctype receiver()
{
    bit b;
    byte value;
    do
    :: d_step { data?b, value -> if
                                 :: b == receive_bit ->
                                     assert(value == receive_value);
                                     receive_bit = 1 - receive_bit;
                                     receive_value = (receive_value + 1) % VALUES
                                 :: else
                                 fi; b = 0; value = 0 }
    od
}

active proctype acknowledger()
{
    do
    :: d_step { nfull(acks) -> acks!(1 - receive_bit) }
    od
}

#if LOSSY
active proctype loss()
{
    bit b;
    byte value;
    do
    :: d_step { data?b, value -> b = 0; value = 0 }
    :: d_step { acks?b -> b = 0 }
    od
}
#endif

ltl delivers { [] <> (receive_value == 1) }

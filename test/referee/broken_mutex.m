-- SPDX-License-Identifier: Apache-2.0
-- Test and set in two steps, step for step src/explore/zoo/broken_mutex.c.
-- N is replaced by the script that runs this.

const N: 2;

type process: 0 .. N - 1;

var at: array[process] of 0 .. 2; -- outside, saw the lock free, critical
    inside: 0 .. N;

startstate begin
  for i: process do at[i] := 0; end;
  inside := 0;
end;

ruleset i: process do
  rule "see the lock free"
    at[i] = 0 & inside = 0
  ==> begin
    at[i] := 1;
  end;

  rule "enter"
    at[i] = 1
  ==> begin
    at[i] := 2; inside := inside + 1;
  end;

  rule "leave"
    at[i] = 2
  ==> begin
    at[i] := 0; inside := inside - 1;
  end;
end;

invariant "mutual exclusion" inside < 2;

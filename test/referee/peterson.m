-- SPDX-License-Identifier: Apache-2.0
-- Peterson's filter lock, step for step src/explore/zoo/peterson.c.
-- N is replaced by the script that runs this.

const N: 2;

type process: 0 .. N - 1;

var at: array[process] of 0 .. 3; -- outside, announced, waiting, critical
    level: array[process] of 0 .. N - 1;
    victim: array[process] of process;

function alone(i: process): boolean;
begin
  return forall k: process do k = i | level[k] < level[i] end;
end;

function may_pass(i: process): boolean;
begin
  return victim[level[i]] != i | alone(i);
end;

startstate begin
  for i: process do at[i] := 0; level[i] := 0; victim[i] := 0; end;
end;

ruleset i: process do
  rule "announce"
    at[i] = 0
  ==> begin
    level[i] := 1; at[i] := 1;
  end;

  rule "give way"
    at[i] = 1
  ==> begin
    victim[level[i]] := i; at[i] := 2;
  end;

  rule "climb"
    at[i] = 2 & level[i] < N - 1 & may_pass(i)
  ==> begin
    level[i] := level[i] + 1; at[i] := 1;
  end;

  rule "enter"
    at[i] = 2 & level[i] = N - 1 & may_pass(i)
  ==> begin
    at[i] := 3;
  end;

  rule "leave"
    at[i] = 3
  ==> begin
    level[i] := 0; at[i] := 0;
  end;
end;

invariant "mutual exclusion"
  forall i: process do forall k: process do i = k | at[i] != 3 | at[k] != 3 end end;

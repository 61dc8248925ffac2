-- SPDX-License-Identifier: Apache-2.0
-- Dining philosophers, step for step src/explore/zoo/philosophers.c.
-- N and POLITE are replaced by the script that runs this.

const N: 3; POLITE: 0;

type seat: 0 .. N - 1;

var at: array[seat] of 0 .. 2; -- thinking, one fork, eating
    taken: array[seat] of boolean;

function first(i: seat): seat;
begin
  if POLITE = 1 & i = N - 1 then return 0; end;
  return i;
end;

function second(i: seat): seat;
begin
  if POLITE = 1 & i = N - 1 then return i; end;
  return (i + 1) % N;
end;

startstate begin
  for i: seat do at[i] := 0; taken[i] := false; end;
end;

ruleset i: seat do
  rule "take the first fork"
    at[i] = 0 & !taken[first(i)]
  ==> begin
    taken[first(i)] := true; at[i] := 1;
  end;

  rule "take the second fork"
    at[i] = 1 & !taken[second(i)]
  ==> begin
    taken[second(i)] := true; at[i] := 2;
  end;

  rule "put both forks down"
    at[i] = 2
  ==> begin
    taken[first(i)] := false; taken[second(i)] := false; at[i] := 0;
  end;
end;

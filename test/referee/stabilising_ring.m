-- SPDX-License-Identifier: Apache-2.0
-- Dijkstra's self-stabilising ring from every state, step for step
-- src/explore/zoo/stabilising_ring.c: many initial states.
-- N, VALUES and CODES (VALUES to the power of N) are replaced by the script
-- that runs this.

const N: 3; VALUES: 3; CODES: 27;

type machine: 0 .. N - 1;
     value: 0 .. VALUES - 1;

var x: array[machine] of value;

function privileged(i: machine): boolean;
begin
  if i = 0 then return x[0] = x[N - 1]; end;
  return x[i] != x[i - 1];
end;

-- Every state is a start: chosen digit by digit from a number.
ruleset code: 0 .. CODES - 1 do
  startstate
  var rest: 0 .. CODES;
  begin
    rest := code;
    for i: machine do
      x[i] := rest % VALUES;
      rest := rest / VALUES;
    end;
  end;
end;

ruleset i: machine do
  rule "move"
    privileged(i)
  ==> begin
    if i = 0 then x[0] := (x[0] + 1) % VALUES; else x[i] := x[i - 1]; end;
  end;
end;

invariant "someone may move" exists i: machine do privileged(i) end;

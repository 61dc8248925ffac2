-- SPDX-License-Identifier: Apache-2.0
-- The Towers of Hanoi: the states of src/explore/zoo/hanoi.c, written the
-- other way round (each disk knows its peg). N is replaced by the script.

const N: 3;

type disk: 0 .. N - 1; -- 0 is the smallest
     peg: 0 .. 2;

var on: array[disk] of peg;

-- Whether a disk is the topmost of its peg, or would be if put on another.
function topmost(d: disk; p: peg): boolean;
begin
  return forall e: disk do e >= d | on[e] != p end;
end;

startstate begin
  for d: disk do on[d] := 0; end;
end;

ruleset d: disk; p: peg do
  rule "move"
    on[d] != p & topmost(d, on[d]) & topmost(d, p)
  ==> begin
    on[d] := p;
  end;
end;

invariant "not solved" exists d: disk do on[d] != 2 end;

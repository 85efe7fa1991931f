// The bottle counter of the filler restarts with every shift. This script keeps a total that does not:
// each run adds the bottles that were filled since the previous one.

const COUNTER = 'Bottling.Line1.Filler.BottlesFilled.Value';
const LAST = 'Bottling.Line1.Shift.LastCount.Value';
const TOTAL = 'Bottling.Line1.Shift.Total.Value';

const result = TagValueManager.Get([COUNTER, LAST, TOTAL]);
if (!result.Success) throw new Error('the counter cannot be read; nothing was counted');

const [counter, last, total] = result.Value.map((tag) => tag.Value);

// A counter that is lower than before has restarted, so all of it is new.
const gained = counter >= last ? counter - last : counter;

const written = TagValueManager.Set([
  { tag: LAST, value: counter },
  { tag: TOTAL, value: total + gained },
]);
console.log(`${gained} bottles since the last time`);
return written.Value[1].Value;

// Runs when the speed set point of the filler is written: tagValue is the written value.
// Forwards its own scopes, so that the storage tag below keeps a set point for each location that has one.

const MOST = 460;
const BIGGEST_STEP = 60;

const scopes = [tagScopeDiagram, tagScopeLocation];
const [stored, unit] = TagValueManager.Get(
  ['Bottling.Line1.Filler.SpeedSetPoint.Stored', 'Bottling.Settings.Display.Unit.Value'],
  ...scopes,
).Value;

const speed = unit.Value === 'bottles/h' ? tagValue / 60 : tagValue;
if (!(speed >= 0 && speed <= MOST)) {
  throw new Error(`A set point is from 0 to ${MOST} bottles/min, this one is ${speed}.`);
}
if (Math.abs(speed - stored.Value) > BIGGEST_STEP) {
  throw new Error(`Go from ${stored.Value} to ${speed} in steps of at most ${BIGGEST_STEP} bottles/min.`);
}

TagValueManager.Set([{ tag: stored.Path, value: speed }], ...scopes);

// Returns the speed set point of the filler in the unit of the caller: a Diagram that shows speeds in bottles/h gets
// bottles/h. The value itself is in a storage tag, in bottles/min.

const result = TagValueManager.Get(
  ['Bottling.Line1.Filler.SpeedSetPoint.Stored', 'Bottling.Settings.Display.Unit.Value'],
  tagScopeDiagram,
  tagScopeLocation,
);
if (!result.Success) throw new Error('The set point or the unit cannot be read.');

const [speed, unit] = result.Value.map((tag) => tag.Value);
return unit === 'bottles/h' ? speed * 60 : speed;

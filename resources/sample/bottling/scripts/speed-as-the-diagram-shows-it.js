// Storage tags can have a different value for each Diagram and location. A read takes the first that exists of
//   (Diagram, location), (Diagram, any), (any, location), (any, any), the initial value of the tag.
// Here a Diagram may have its own title and unit, and a location its own limits.

const line = tagScopeLocation === 'Line2' ? 'Line2' : 'Line1';

// Passing the scopes on makes the script read the values of the Diagram that called it.
const settings = TagValueManager.Get(
  [
    'Bottling.Settings.Display.Title.Value',
    'Bottling.Settings.Display.Unit.Value',
    'Bottling.Settings.Limits.SpeedLow.Value',
    'Bottling.Settings.Limits.SpeedHigh.Value',
    `Bottling.${line}.Filler.Speed.Value`, // a machine tag: scopes have no effect
  ],
  tagScopeDiagram,
  tagScopeLocation,
);
const [title, unit, low, high, speed] = settings.Value.map((tag) => tag.Value);

// To read the values of another Diagram or location, pass its name.
const [shared] = TagValueManager.Get(['Bottling.Settings.Limits.SpeedLow.Value']).Value;
if (low !== shared.Value) console.log(`low is below ${low} here, and below ${shared.Value} elsewhere`);

const perUnit = unit === 'bottles/h' ? 60 : 1;
return {
  title,
  line,
  speed: `${Math.round(speed * perUnit)} ${unit}`,
  state: speed < low ? 'low' : speed > high ? 'high' : 'normal',
};

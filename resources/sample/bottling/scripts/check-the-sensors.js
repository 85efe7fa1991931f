// Every value has a quality that says whether it can be trusted: Good…, Uncertain… or Bad….
// This script sorts the sensors of line 2 by quality, and stores a report of the ones that need attention.

const SENSORS = [
  'Bottling.Line2.Filler.Speed.Value',
  'Bottling.Line2.Filler.TankLevel.Value',
  'Bottling.Line2.Capper.Torque.Value',
  'Bottling.Line2.Labeller.GlueTemperature.Value', // broken: BadSensorFailure
  'Bottling.Line2.Labeller.GlueLevel.Value', // missing: BadNodeIdUnknown
];

const result = TagValueManager.Get(SENSORS);
console.log(`Success is ${result.Success}: one bad tag is enough to make it false.`);

const suspects = [];
for (const sensor of result.Value) {
  if (sensor.Quality.startsWith('Good')) {
    console.info(sensor.Path, sensor.Value, sensor.Quality);
  } else {
    // The value of a bad tag is null: never calculate with it.
    console.warn(sensor.Path, sensor.Value, sensor.Quality);
    suspects.push({ tag: sensor.Path, quality: sensor.Quality });
  }
}

TagValueManager.Set([{ tag: 'Bottling.Line2.Check.Report.Value', value: suspects }]);
return suspects;

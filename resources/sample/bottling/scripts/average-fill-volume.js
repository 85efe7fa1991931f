// The mean fill volume of all valves of the filler, in ml.
// The names of the valves are built from a prefix that a storage tag holds, so that the script works for any filler.

const VALVES = 12;

try {
  const [prefix] = TagValueManager.Get(['Bottling.Line1.Filler.ValvePrefix.Value']).Value;

  const names = [];
  for (let valve = 1; valve <= VALVES; valve++) names.push(`${prefix.Value}${valve}.FillVolume`);

  // Any number of tags in one call. Without scopes, it reads the values that all Diagrams and locations share.
  const volumes = TagValueManager.Get(names);
  if (!volumes.Success) {
    const bad = volumes.Value.filter((valve) => valve.Quality.startsWith('Bad'));
    throw new Error(`${bad.length} of ${VALVES} valves cannot be read: ${bad[0].Path} is ${bad[0].Quality}`);
  }

  const sum = volumes.Value.reduce((total, valve) => total + valve.Value, 0);
  return Math.round((sum / VALVES) * 100) / 100;
} catch (error) {
  // No one watches the console of a script that runs by itself, so report in tags. Storage tags and a DB tag are
  // written together, all or none.
  const entry = { time: new Date(), tag: tagName, message: error.message, stack: error.stack };
  TagValueManager.Set([
    { tag: 'Bottling.Scripts.Error.Active.Value', value: true },
    { tag: 'Bottling.Scripts.Error.Message.Value', value: error.message },
    { tag: 'Bottling.Scripts.Error.Log.Value', value: entry },
    { tag: 'Bottling.Scripts.Error.Database.Value', value: entry },
  ]);
  return null;
}

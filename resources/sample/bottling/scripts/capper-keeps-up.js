// Does the capper keep up with the filler?
// Returns 1 if it does, and 0 if it does not, or if that is unknown.

const FILLER = 'Bottling.Line1.Filler.Speed.Value';
const CAPPER = 'Bottling.Line1.Capper.Speed.Value';

try {
  // One call for both tags: they are read at the same moment.
  const speeds = TagValueManager.Get([FILLER, CAPPER], tagScopeDiagram, tagScopeLocation);

  // Success is true when every quality is good or uncertain.
  if (!speeds.Success) return 0;
  if (!Array.isArray(speeds.Value) || speeds.Value.length !== 2) return 0;

  const [filler, capper] = speeds.Value;
  console.log(`filler ${filler.Value.toFixed(1)}, capper ${capper.Value.toFixed(1)} bottles/min`);
  return capper.Value >= filler.Value ? 1 : 0;
} catch (error) {
  console.error(error.message);
  return 0;
}

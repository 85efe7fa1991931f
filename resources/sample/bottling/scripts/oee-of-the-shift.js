// Overall equipment effectiveness (OEE) of the shift so far: availability × performance × quality.
// Writes the four figures and returns them.

const LINE = 'Bottling.Line1';

const [elapsed, ran, filled, fillerRejects, capperRejects, weightRejects, ideal] = read(
  `${LINE}.Shift.ElapsedMinutes.Value`,
  `${LINE}.Shift.RunMinutes.Value`,
  `${LINE}.Filler.BottlesFilled.Value`,
  `${LINE}.Filler.Rejects.Value`,
  `${LINE}.Capper.Rejects.Value`,
  `${LINE}.Checkweigher.Rejects.Value`,
  `${LINE}.Oee.IdealSpeed.Value`,
);

// In the first minutes of a shift there is little to divide by.
if (ran < 1 || filled < 1) return 'the shift has just begun';

const rejects = fillerRejects + capperRejects + weightRejects;
const availability = Math.min(1, ran / elapsed);
const performance = Math.min(1, filled / (ran * ideal));
const quality = Math.max(0, 1 - rejects / filled);

const figures = {
  Availability: percent(availability),
  Performance: percent(performance),
  Quality: percent(quality),
  Oee: percent(availability * performance * quality),
};

// One Set: either all figures are written or none, so no reader ever sees half of them.
TagValueManager.Set([
  ...Object.entries(figures).map(([name, value]) => ({ tag: `${LINE}.Oee.${name}.Value`, value })),
  { tag: `${LINE}.Oee.Calculated.Value`, value: new Date() },
]);
return figures;

/** The values of tags, or an error that names the first one that has none. */
function read(...paths) {
  const result = TagValueManager.Get(paths, tagScopeDiagram, tagScopeLocation);
  const bad = result.Value.find((tag) => tag.Quality.startsWith('Bad'));
  if (bad) throw new Error(`${bad.Path} is ${bad.Quality}`);
  return result.Value.map((tag) => tag.Value);
}

/** A part of one as percent with one decimal. */
function percent(part) {
  return Math.round(part * 1000) / 10;
}

// Runs when goods movements are written, as an array of { material, quantity, unit }: tagValue is the written value.
// If one is invalid, a warning is stored for the Diagram that wrote them, and nothing is sent. Otherwise each becomes a
// record of the ERP tag, all of them in a single Set: either the ERP system gets all of them, or none.

const MOVEMENTS = 'Bottling.Erp.GoodsMovement.Record';
const WARNING = 'Bottling.Erp.Warning.Active.Value';
const MESSAGE = 'Bottling.Erp.Warning.Message.Value';

const problems = problemsOf(tagValue);
if (problems.length > 0) return warn(`No goods movement was sent: ${problems.join('; ')}.`);

const order = TagValueManager.Get(['Bottling.Line1.Order.Number.Value'], tagScopeDiagram, tagScopeLocation);
if (!order.Success) return warn('No goods movement was sent: the number of the order cannot be read.');

const postedAt = new Date();
const records = tagValue.map((movement) => ({
  ...movement,
  movementType: '261', // goods issue for an order
  plant: '1000',
  storageLocation: tagScopeLocation || '0001',
  order: order.Value[0].Value,
  postedAt,
}));

try {
  TagValueManager.Set(
    [
      ...records.map((record) => ({ tag: MOVEMENTS, value: record })),
      { tag: WARNING, value: false },
      { tag: MESSAGE, value: '' },
    ],
    tagScopeDiagram,
    tagScopeLocation,
  );
} catch (error) {
  // Records that the schema of the ERP tag rejects are listed in error.failures, with the invalid member.
  const reasons = (error.failures ?? []).map(({ reason }) => reason);
  return warn(`No goods movement was sent: ${reasons.join('; ') || error.message}.`);
}
return `${records.length} goods movements were sent for order ${records[0].order}.`;

function problemsOf(movements) {
  if (!Array.isArray(movements) || movements.length === 0) return ['write an array of { material, quantity, unit }'];
  return movements.flatMap((movement, index) => {
    if (movement === null || typeof movement !== 'object') return [`record ${index + 1} is not an object`];
    const { material, quantity } = movement;
    return [
      ...(typeof material === 'string' && material !== '' ? [] : [`record ${index + 1} has no material`]),
      ...(quantity > 0 ? [] : [`record ${index + 1} needs a quantity of more than 0`]),
    ];
  });
}

function warn(message) {
  TagValueManager.Set(
    [
      { tag: WARNING, value: true },
      { tag: MESSAGE, value: message },
    ],
    tagScopeDiagram,
    tagScopeLocation,
  );
  console.warn(message);
  return null;
}

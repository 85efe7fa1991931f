// Runs when an order is written, as { number, product, quantity }: tagValue is the written value.
// Stores the order in the shared scope, or rejects it and says why.

const order = tagValue;
const problems = [];

if (order === null || typeof order !== 'object') {
  problems.push('write an object { number, product, quantity }');
} else {
  if (!Number.isInteger(order.number)) problems.push('number must be a whole number');
  if (typeof order.product !== 'string' || order.product === '') problems.push('product must be a text');
  if (!(order.quantity > 0)) problems.push('quantity must be more than 0');
}
if (problems.length > 0) throw new Error(`The order is not started: ${problems.join('; ')}.`);

// A Set is all or nothing. Rejected items are listed in error.failures.
try {
  TagValueManager.Set([
    { tag: 'Bottling.Line1.Order.Number.Value', value: order.number },
    { tag: 'Bottling.Line1.Order.Product.Value', value: order.product },
    { tag: 'Bottling.Line1.Order.Quantity.Value', value: order.quantity },
    { tag: 'Bottling.Line1.Order.Started.Value', value: new Date() },
  ]);
} catch (error) {
  for (const { tag, reason } of error.failures ?? []) console.warn(`${tag}: ${reason}`);
  throw error;
}
return `Order ${order.number} is started: ${order.quantity} bottles of ${order.product}.`;

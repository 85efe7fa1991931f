// Orders caps at the supplier when tagValue, a number of boxes, is written. The key is a secret of the workspace:
//   tagwright secrets set CAPS_KEY

const boxes = tagValue;
if (!Number.isInteger(boxes) || boxes < 1 || boxes > 40) throw new Error('Order 1 to 40 boxes of caps.');

const answer = ApiValueManager.FetchWithApiKey(
  'https://caps.bottling.example/api/orders',
  'post',
  JSON.stringify({ article: 'CAP-28-BLUE', boxes }),
  '{{secret:CAPS_KEY}}',
  JSON.stringify([{ headerKey: 'Accept-Language', headerValue: 'en' }]),
);
if (!answer.Success) throw new Error(`The order was not taken: ${answer.ErrorMessage}`);
const { order } = JSON.parse(answer.ResponseObject);
return `Order ${order}: ${boxes} boxes of caps.`;

// Requests the latest sample of a line from the laboratory, without authentication, and stores its hardness in a tag.

const answer = ApiValueManager.Fetch('https://laboratory.bottling.example/api/samples/latest?line=Line1', 'get', null);
if (!answer.Success) {
  // StatusCode "0": there was no response, and ErrorMessage says why.
  console.warn(`status ${answer.StatusCode}`, answer.ErrorMessage);
  return null;
}
const sample = JSON.parse(answer.ResponseObject);
TagValueManager.Set([{ tag: 'Bottling.Utilities.Water.Hardness.Value', value: sample.hardness }]);
return `${sample.hardness} °dH, taken ${sample.takenAt}`;

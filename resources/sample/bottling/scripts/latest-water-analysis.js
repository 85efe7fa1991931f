// Asks the laboratory for its latest sample of a line, without any authentication, and keeps its hardness in a tag.

const answer = ApiValueManager.Fetch('https://laboratory.bottling.example/api/samples/latest?line=Line1', 'get', null);
if (!answer.Success) {
  // StatusCode "0": no answer came at all, and ErrorMessage says why.
  console.warn(`status ${answer.StatusCode}`, answer.ErrorMessage);
  return null;
}
const sample = JSON.parse(answer.ResponseObject);
TagValueManager.Set([{ tag: 'Bottling.Utilities.Water.Hardness.Value', value: sample.hardness }]);
return `${sample.hardness} °dH, taken ${sample.takenAt}`;

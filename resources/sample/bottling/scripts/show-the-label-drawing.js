// Fetches the newest drawing of a product for a Diagram: a token, a search, the last document found, its image.
// Runs offline: mocks replace the identity platform and the document service. To call real ones, change their
// addresses in the tags below, set the secret DOCUMENTS_CLIENT, and the mode with "tagwright mocks mode live".

const service = 'Bottling.Documents.Service';
const drawing = 'Bottling.Documents.LabelDrawing';

const settings = TagValueManager.Get([
  `${service}.TokenUrl.Value`,
  `${service}.ApiUrl.Value`,
  'Bottling.Line1.Order.Product.Value',
]);
if (!settings.Success) return fail('The addresses of the services cannot be read.');
const [tokenUrl, apiUrl, product] = settings.Value.map((item) => item.Value);

// 1. A token. The secret is inserted when the call is sent: this script never sees it.
const auth = ApiValueManager.GetOauthToken(
  tokenUrl,
  JSON.stringify([
    { headerKey: 'client_id', headerValue: 'bottling-plant' },
    { headerKey: 'client_secret', headerValue: '{{secret:DOCUMENTS_CLIENT}}' },
    { headerKey: 'grant_type', headerValue: 'client_credentials' },
  ]),
  'application/x-www-form-urlencoded',
);
if (!auth.Success) return fail(auth.ErrorMessage);

try {
  const token = JSON.parse(auth.ResponseObject).access_token;

  // 2. The documents of the current product.
  const search = ApiValueManager.FetchWithBearerToken(
    `${apiUrl}/documents?search=${encodeURIComponent(product)}`,
    'get',
    null,
    token,
  );
  if (!search.Success) return fail(search.ErrorMessage);
  const { items } = JSON.parse(search.ResponseObject);
  if (items.length === 0) return fail(`There is no drawing for "${product}".`);

  // 3. The last one is the newest.
  const { id } = items[items.length - 1];
  const image = ApiValueManager.GetImageWithBearerToken(`${apiUrl}/documents/${id}/stream`, token, null, 'image/png');
  if (!image.Success) return fail(image.ErrorMessage);

  // 4. The Diagram shows the value of this tag.
  const { Base64Image } = JSON.parse(image.ResponseObject);
  TagValueManager.Set([
    { tag: `${drawing}.Image.Value`, value: Base64Image },
    { tag: `${drawing}.DocumentId.Value`, value: id },
    { tag: `${drawing}.Error.Value`, value: '' },
  ]);
  return id;
} catch (error) {
  // For example a response that is not the expected JSON.
  return fail(error.message);
}

function fail(message) {
  TagValueManager.Set([{ tag: `${drawing}.Error.Value`, value: String(message) }]);
  return null;
}

/** An error with the name that the web standard gives it; scripts have no DOMException. */
export function named(name: string, message: string): Error {
  const error = new Error(message);
  Object.defineProperty(error, 'name', { value: name, writable: true, configurable: true });
  return error;
}

/** A script passed invalid arguments; the message says what to pass instead. */
export class InvalidArgument extends Error {
  override readonly name = 'InvalidArgument';
}

/** A script passed invalid arguments; the message tells the author what to pass instead. */
export class InvalidArgument extends Error {
  override readonly name = 'InvalidArgument';
}

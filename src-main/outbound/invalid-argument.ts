/** A script called with arguments that make no call; the message tells the author what to pass instead. */
export class InvalidArgument extends Error {
  override readonly name = 'InvalidArgument';
}

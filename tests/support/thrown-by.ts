import { TagwrightError } from '../../src-main/platform/errors.ts';

/** The TagwrightError that the function throws, or that its promise rejects with. Anything else fails the test. */
export async function thrownBy(action: () => unknown): Promise<TagwrightError> {
  try {
    await action();
  } catch (thrown) {
    if (thrown instanceof TagwrightError) return thrown;
    throw thrown;
  }
  throw new Error('nothing was thrown');
}

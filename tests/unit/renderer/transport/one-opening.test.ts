import { expect, test } from 'vitest';
import { oneOpening } from '../../../../src-renderer/transport/one-opening.ts';
import { SessionHolder } from '../../../../src-renderer/transport/session-holder.ts';
import type { Link } from '../../../../src-renderer/transport/transport.ts';

/** A connection to an instance that opened its workspace at `startedAt`; responds on request. */
function linkTo(startedAt: string): { link: Link; answer: () => void } {
  const info = Promise.withResolvers<unknown>();
  return { link: { call: () => info.promise }, answer: () => info.resolve({ startedAt }) };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A holder, and how often it was notified that the workspace was reopened. */
function opened() {
  const notified: true[] = [];
  return { holder: new SessionHolder(oneOpening(() => void notified.push(true))), notified };
}

test('the first connection is used at once; later ones if they have the same opening', async () => {
  const { holder, notified } = opened();
  const [first, second] = [linkTo('10:00'), linkTo('10:00')];
  holder.begin(first.link);
  await settled();
  expect(holder.current()?.link).toBe(first.link);
  first.answer();
  await settled();
  holder.end();
  holder.begin(second.link);
  await settled();
  expect(holder.current()).toBe(null);
  second.answer();
  await settled();
  expect([holder.current()?.link, notified]).toEqual([second.link, []]);
});

test('waiting requests are never sent to another opening, which is notified', async () => {
  const { holder, notified } = opened();
  const [first, second] = [linkTo('10:00'), linkTo('11:00')];
  holder.begin(first.link);
  first.answer();
  await settled();
  holder.end();
  let connected = false;
  void holder.connected().then(() => (connected = true));
  holder.begin(second.link);
  second.answer();
  await settled();
  expect([holder.current(), connected, notified]).toEqual([null, false, [true]]);
});

test('a first connection that ended before naming its opening counts as another one', async () => {
  const { holder, notified } = opened();
  const second = linkTo('10:00');
  holder.begin(linkTo('10:00').link);
  await settled();
  holder.end();
  holder.begin(second.link);
  second.answer();
  await settled();
  expect([holder.current(), notified]).toEqual([null, [true]]);
});

test('a connection that ends while it is checked is not used', async () => {
  const { holder, notified } = opened();
  const [first, second, third] = [linkTo('10:00'), linkTo('10:00'), linkTo('10:00')];
  holder.begin(first.link);
  first.answer();
  await settled();
  holder.end();
  holder.begin(second.link);
  holder.end();
  holder.begin(third.link);
  second.answer();
  await settled();
  expect(holder.current()).toBe(null);
  third.answer();
  await settled();
  expect([holder.current()?.link, notified]).toEqual([third.link, []]);
});

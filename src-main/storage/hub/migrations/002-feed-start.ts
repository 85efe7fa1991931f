/**
 * The number after which the feed of a site begins. A stream that continues before it gets a new list, also if the feed
 * has later numbers: it knows a hub that was restored, or a site that was removed and added again.
 */
export const feedStart = `
ALTER TABLE sites ADD COLUMN feed_start bigint NOT NULL DEFAULT 0;
`;

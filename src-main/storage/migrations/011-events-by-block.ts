/** An index of the events by rule, for which rules that fire at once write to the same few pages. */
export const eventsByBlock = `
DROP INDEX events_by_rule;
-- By rule alone, each of them writes a page of its own: half of what a commit of many firings writes.
CREATE INDEX events_by_block ON events (id / 1024, rule_id);
`;

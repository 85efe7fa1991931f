/**
 * The tables of a hub, in PostgreSQL. Every table has the site first in its primary key, and every statement names it,
 * so that Citus can distribute the tables by site.
 */
export const hub = `
CREATE TABLE sites (
  site        text PRIMARY KEY CHECK (site ~ '^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$'),
  -- The database role of the site.
  role        name NOT NULL UNIQUE,
  added_at    timestamptz NOT NULL DEFAULT now(),
  -- The last mirror step. The site stores the same id before it commits the step here: a workspace that stores neither
  -- this id nor the next one is a copy or a restored backup, and is rejected.
  step        uuid,
  -- How much of the site's change feed is mirrored (a feed position): null before the first step.
  source_seq  bigint,
  -- While the first list is copied: events up to this id are mirrored. Null afterwards.
  listed      bigint,
  -- The number of the last change in event_changes.
  feed_seq    bigint NOT NULL DEFAULT 0,
  mirrored_at timestamptz,
  -- The version of Tagwright at the site.
  version     text
);

-- The newest mirrored row of each result table. Rows above it are still to be mirrored.
CREATE TABLE row_marks (
  site         text NOT NULL REFERENCES sites ON DELETE CASCADE,
  result_table text NOT NULL,
  last_id      bigint NOT NULL,
  PRIMARY KEY (site, result_table)
);

-- data: the columns of the row by name, without its id.
CREATE TABLE data_rows (
  site         text NOT NULL,
  result_table text NOT NULL,
  id           bigint NOT NULL,
  mirrored_at  timestamptz NOT NULL DEFAULT now(),
  data         jsonb NOT NULL,
  PRIMARY KEY (site, result_table, id)
);

-- wanted: what a consumer changed at a gateway and the site has not applied yet: 0 disabled, 1 active, 2 deleted.
-- wanted_key: the id of that change. The site applies a change once by its key, and clears it by its key.
CREATE TABLE events (
  site                   text NOT NULL,
  id                     bigint NOT NULL,
  rule_id                bigint NOT NULL,
  event_date_time        text NOT NULL,
  at_ms                  bigint NOT NULL,
  active                 boolean NOT NULL,
  result_table_name      text NOT NULL,
  result_table_record_id bigint NOT NULL,
  wanted                 smallint CHECK (wanted BETWEEN 0 AND 2),
  wanted_key             bigint,
  wanted_by              text,
  CHECK ((wanted IS NULL) = (wanted_key IS NULL)),
  PRIMARY KEY (site, id)
) WITH (fillfactor = 80);
CREATE INDEX events_active ON events (site, id) WHERE coalesce(wanted = 1, active);
CREATE INDEX events_wanted ON events (site, wanted_key) WHERE wanted IS NOT NULL;
CREATE SEQUENCE wanted_keys;

-- The change feed of the mirrored events, numbered for each site by sites.feed_seq. kind: 1 created, 2 disabled,
-- 3 reactivated, 4 deleted. event: the event after the change as the API shows it; a deleted one as it was before.
CREATE TABLE event_changes (
  site     text NOT NULL,
  seq      bigint NOT NULL,
  kind     smallint NOT NULL CHECK (kind BETWEEN 1 AND 4),
  event_id bigint NOT NULL,
  at       timestamptz NOT NULL DEFAULT now(),
  event    json NOT NULL,
  PRIMARY KEY (site, seq)
);

-- Changes at gateways. The sum of a site's counts and its feed_seq is the version of its list. A change adds to one of
-- several counts, so that changes don't wait for each other.
CREATE TABLE change_counts (
  site  text NOT NULL,
  shard smallint NOT NULL,
  count bigint NOT NULL,
  PRIMARY KEY (site, shard)
);

-- The consumers of gateways. sites: null for all of them. rights: 'read', 'disable', 'delete'.
CREATE TABLE consumers (
  id         text PRIMARY KEY,
  name       text NOT NULL UNIQUE,
  key_hash   bytea NOT NULL,
  sites      text[],
  rights     text[] NOT NULL CHECK (rights <@ ARRAY['read', 'disable', 'delete']),
  added_at   timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz
);

-- One record for each change at a gateway. action: 'disable', 'activate', 'delete'.
CREATE TABLE audit (
  site     text NOT NULL,
  at       timestamptz NOT NULL DEFAULT clock_timestamp(),
  consumer text NOT NULL,
  action   text NOT NULL,
  event_id bigint NOT NULL,
  address  text NOT NULL
);
CREATE INDEX audit_by_time ON audit (site, at);

-- Sites see their own rows only; gateways see all.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tagwright_sites') THEN CREATE ROLE tagwright_sites NOLOGIN; END IF;
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'tagwright_gateways') THEN CREATE ROLE tagwright_gateways NOLOGIN; END IF;
END $$;
GRANT USAGE ON SCHEMA tagwright TO tagwright_sites, tagwright_gateways;
GRANT SELECT ON schema_steps TO tagwright_sites, tagwright_gateways;
GRANT SELECT, UPDATE ON sites TO tagwright_sites;
GRANT SELECT, INSERT, UPDATE, DELETE ON row_marks, data_rows, events, event_changes TO tagwright_sites;
GRANT SELECT ON sites, data_rows, event_changes, consumers TO tagwright_gateways;
GRANT SELECT, UPDATE (wanted, wanted_key, wanted_by) ON events TO tagwright_gateways;
GRANT SELECT, INSERT, UPDATE ON change_counts TO tagwright_gateways;
GRANT INSERT ON audit TO tagwright_gateways;
GRANT USAGE ON SEQUENCE wanted_keys TO tagwright_gateways;

ALTER TABLE sites ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_site ON sites TO tagwright_sites USING (role = current_user);
CREATE POLICY every_site ON sites FOR SELECT TO tagwright_gateways USING (true);
DO $$
DECLARE name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['row_marks', 'data_rows', 'events', 'event_changes'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', name);
    EXECUTE format('CREATE POLICY own_site ON %I TO tagwright_sites USING (site = (SELECT s.site FROM sites s WHERE s.role = current_user))', name);
    EXECUTE format('CREATE POLICY every_site ON %I TO tagwright_gateways USING (true)', name);
  END LOOP;
END $$;
`;

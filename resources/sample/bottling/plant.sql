-- The database behind the DB tags of the sample: orders, shifts, quality log, downtime, and what scripts report.

CREATE TABLE orders (
  number   INTEGER PRIMARY KEY,
  line     TEXT NOT NULL,
  product  TEXT NOT NULL,
  quantity INTEGER NOT NULL CHECK (quantity > 0),
  due      TEXT NOT NULL,
  state    TEXT NOT NULL DEFAULT 'planned' CHECK (state IN ('planned', 'running', 'done'))
);
INSERT INTO orders (number, line, product, quantity, due, state) VALUES
  (4708, 'Line1', 'Still water 0.5 l', 150000, '2026-07-30', 'done'),
  (4709, 'Line1', 'Lemon 0.5 l',        60000, '2026-07-31', 'done'),
  (4710, 'Line2', 'Cola 1.0 l',         96000, '2026-07-31', 'done'),
  (4711, 'Line1', 'Still water 0.5 l', 180000, '2026-08-03', 'running'),
  (4712, 'Line2', 'Lemon 1.0 l',       120000, '2026-08-03', 'running'),
  (4713, 'Line1', 'Sparkling 0.5 l',   144000, '2026-08-04', 'planned'),
  (4714, 'Line1', 'Lemon 0.5 l',        72000, '2026-08-05', 'planned'),
  (4715, 'Line2', 'Cola 1.0 l',         84000, '2026-08-05', 'planned');

CREATE TABLE shifts (
  id       INTEGER PRIMARY KEY,
  line     TEXT NOT NULL,
  day      TEXT NOT NULL,
  shift    INTEGER NOT NULL CHECK (shift BETWEEN 1 AND 3),
  leader   TEXT NOT NULL,
  bottles  INTEGER NOT NULL,
  rejects  INTEGER NOT NULL,
  UNIQUE (line, day, shift)
);
INSERT INTO shifts (line, day, shift, leader, bottles, rejects) VALUES
  ('Line1', '2026-07-30', 1, 'Okafor',   171200, 1310),
  ('Line1', '2026-07-30', 2, 'Lindqvist', 176900, 1184),
  ('Line1', '2026-07-30', 3, 'Moreau',   168400, 1422),
  ('Line1', '2026-07-31', 1, 'Okafor',   178100, 1106),
  ('Line1', '2026-07-31', 2, 'Lindqvist', 173500, 1251),
  ('Line2', '2026-07-31', 1, 'Sato',     121800,  903),
  ('Line2', '2026-07-31', 2, 'Ferreira', 118600,  944);

CREATE TABLE quality_log (
  id             INTEGER PRIMARY KEY,
  at             TEXT NOT NULL,
  line           TEXT NOT NULL,
  characteristic TEXT NOT NULL,
  measured       REAL NOT NULL,
  low            REAL NOT NULL,
  high           REAL NOT NULL,
  inspector      TEXT,
  ok             INTEGER GENERATED ALWAYS AS (measured BETWEEN low AND high) STORED
);
CREATE INDEX quality_log_by_line ON quality_log (line, at);
INSERT INTO quality_log (at, line, characteristic, measured, low, high, inspector) VALUES
  ('2026-07-31T06:10:00.000Z', 'Line1', 'Closing torque', 1.74, 1.4, 2.1, 'Novak'),
  ('2026-07-31T06:40:00.000Z', 'Line1', 'Carbon dioxide', 5.91, 5.6, 6.2, 'Novak'),
  ('2026-07-31T07:10:00.000Z', 'Line1', 'Closing torque', 2.16, 1.4, 2.1, 'Novak'),
  ('2026-07-31T07:40:00.000Z', 'Line1', 'Fill volume', 500.4, 498.0, 502.0, 'Haddad'),
  ('2026-07-31T08:10:00.000Z', 'Line2', 'Closing torque', 1.68, 1.4, 2.1, 'Haddad');

CREATE TABLE downtime (
  id      INTEGER PRIMARY KEY,
  line    TEXT NOT NULL,
  machine TEXT NOT NULL,
  began   TEXT NOT NULL,
  minutes REAL NOT NULL CHECK (minutes >= 0),
  reason  TEXT NOT NULL
);
INSERT INTO downtime (line, machine, began, minutes, reason) VALUES
  ('Line1', 'Filler',   '2026-07-31T06:52:00.000Z', 12.5, 'Starved'),
  ('Line1', 'Capper',   '2026-07-31T07:31:00.000Z',  4.0, 'Caps low'),
  ('Line1', 'Filler',   '2026-07-31T09:05:00.000Z', 21.0, 'Valve 7 leaks'),
  ('Line2', 'Labeller', '2026-07-31T08:20:00.000Z',  9.5, 'Glue too cold');

CREATE TABLE script_log (
  id      INTEGER PRIMARY KEY,
  at      TEXT NOT NULL,
  tag     TEXT NOT NULL,
  message TEXT NOT NULL,
  record  TEXT NOT NULL CHECK (json_valid(record))
);

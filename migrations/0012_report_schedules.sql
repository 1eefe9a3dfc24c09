-- The daily report: at 00:10 UTC, and every hour once more in case that was missed. One more run of a published day changes nothing.
INSERT INTO schedules (id, name, cron, time_zone, kind, priority, missed, missed_max, overlap, version, due_at, created_at, updated_at, payload)
VALUES
  ('01900000-0000-7000-8000-000000000001', 'Daily report', '10 0 * * *', 'UTC', 'publish_report', 'normal', 'once', 1, 'skip', 1,
    (unixepoch() / 86400 + 1) * 86400000 + 600000, unixepoch() * 1000, unixepoch() * 1000, '{}'),
  ('01900000-0000-7000-8000-000000000002', 'Daily report, again every hour', '40 * * * *', 'UTC', 'publish_report', 'normal', 'once', 1, 'skip', 1,
    (unixepoch() / 3600 + 1) * 3600000 + 2400000, unixepoch() * 1000, unixepoch() * 1000, '{}');

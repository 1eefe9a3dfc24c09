-- Dead jobs by cause and hour once more, a day of UTC in one row: {"13": 5} are five that died between 13 and 14 o'clock. How
-- long ago the jobs of a cause died is then read from a row a day, not one an hour. Kept by triggers, like dead_causes; hours
-- of which nobody is dead any more are left out, and a day without any has no row.
CREATE TABLE dead_days (
  cause TEXT NOT NULL,
  day INTEGER NOT NULL,                       -- its start
  hours TEXT NOT NULL CHECK (json_valid(hours)),
  PRIMARY KEY (cause, day)
) STRICT, WITHOUT ROWID;
INSERT INTO dead_days SELECT cause, hour / 86400000 * 86400000, json_group_object(CAST(hour / 3600000 % 24 AS TEXT), n)
  FROM dead_counts WHERE n <> 0 GROUP BY 1, 2;
CREATE TRIGGER dead_days_added AFTER INSERT ON dead_counts WHEN new.n <> 0 BEGIN
  INSERT INTO dead_days VALUES (new.cause, new.hour / 86400000 * 86400000, json_object(CAST(new.hour / 3600000 % 24 AS TEXT), new.n))
  ON CONFLICT (cause, day) DO UPDATE SET hours = json_set(hours, '$."' || (new.hour / 3600000 % 24) || '"', new.n);
END;
CREATE TRIGGER dead_days_changed AFTER UPDATE OF n ON dead_counts WHEN new.n <> 0 BEGIN
  INSERT INTO dead_days VALUES (new.cause, new.hour / 86400000 * 86400000, json_object(CAST(new.hour / 3600000 % 24 AS TEXT), new.n))
  ON CONFLICT (cause, day) DO UPDATE SET hours = json_set(hours, '$."' || (new.hour / 3600000 % 24) || '"', new.n);
END;
CREATE TRIGGER dead_days_emptied AFTER UPDATE OF n ON dead_counts WHEN new.n = 0 BEGIN
  DELETE FROM dead_days WHERE cause = new.cause AND day = new.hour / 86400000 * 86400000
    AND json_remove(hours, '$."' || (new.hour / 3600000 % 24) || '"') = '{}';
  UPDATE dead_days SET hours = json_remove(hours, '$."' || (new.hour / 3600000 % 24) || '"')
    WHERE cause = new.cause AND day = new.hour / 86400000 * 86400000;
END;
CREATE TRIGGER dead_days_removed AFTER DELETE ON dead_counts WHEN old.n <> 0 BEGIN
  DELETE FROM dead_days WHERE cause = old.cause AND day = old.hour / 86400000 * 86400000
    AND json_remove(hours, '$."' || (old.hour / 3600000 % 24) || '"') = '{}';
  UPDATE dead_days SET hours = json_remove(hours, '$."' || (old.hour / 3600000 % 24) || '"')
    WHERE cause = old.cause AND day = old.hour / 86400000 * 86400000;
END;
-- Causes of which nobody is dead any more.
CREATE INDEX dead_causes_none ON dead_causes (last_hour) WHERE n = 0;

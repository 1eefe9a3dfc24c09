-- Of the code that swept last: how many jobs of one group its definitions let run, as JSON by kind. NULL: nobody knows.
ALTER TABLE leases ADD COLUMN group_limits TEXT;

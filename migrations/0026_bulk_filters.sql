-- What else the filter box asked of the jobs that an operation means; its times are moments.
ALTER TABLE bulk_operations ADD COLUMN q TEXT;

-- After days without a sweep each day that was missed gets its report, not only the last one. A schedule that a person
-- has changed stays as it is.
UPDATE schedules SET missed = 'all', missed_max = 100, overlap = 'allow'
WHERE id = '01900000-0000-7000-8000-000000000001' AND version = 1;

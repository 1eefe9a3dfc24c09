-- Operations that have not ended: which of them have stopped is told on the overview, and is looked for among these alone.
CREATE INDEX bulk_operations_running ON bulk_operations (id) WHERE state = 'running';

-- How often messages that ask for one attempt of a job were sent again. A job that ends well enters nothing here.
CREATE INDEX dead_letters_job ON dead_letters (job_id, attempt) WHERE job_id IS NOT NULL;

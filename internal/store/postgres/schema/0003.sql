-- beside: 2
-- What a program works on, until when, and whether its client went away in the middle of a call.

ALTER TABLE presences ADD COLUMN thread text NOT NULL DEFAULT '', ADD COLUMN due_us bigint, ADD COLUMN left_us bigint;

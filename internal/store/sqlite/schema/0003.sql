-- What a program works on, until when, and whether its client went away in the middle of a call.

ALTER TABLE presences ADD COLUMN thread TEXT NOT NULL DEFAULT '';
ALTER TABLE presences ADD COLUMN due_us INTEGER;
ALTER TABLE presences ADD COLUMN left_us INTEGER;

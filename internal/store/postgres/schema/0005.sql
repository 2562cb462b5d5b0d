-- beside: 2
-- The calls of an agent to its rounds: asked for by every list of sessions, and rare among its mail.

CREATE INDEX deliveries_kickoff ON deliveries (agent_id, message_id) WHERE type = 'KICKOFF';
